# SPDX-License-Identifier: GPL-2.0-or-later
"""Which files look into which structures: for the check of layers.

A reader of C that knows only as much as this needs: the members of structures and their
types, the functions that return a pointer to a structure, the parameters and variables of
each function. From these it follows the accesses of an expression, such as
session->target->drm or wdbg_wave_slot(gpu, at)->owner, from structure to structure. It
does not see an access through a macro, or one whose type is not declared in the same
function: a check of kernel style, no proof.
"""

import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
STRUCT = re.compile(r"\bstruct\s+(\w+)\s*\{")
FUNCTION = re.compile(r"^(?:(?:static|inline|const|extern) )*struct\s+(\w+)\s*\*+\s*(\w+)\(", re.M)
VARIABLE = re.compile(r"\bstruct\s+(\w+)\b\s*\**\s*(?:const\s+)?(\w+)")
CHAIN = re.compile(r"(?<![\w.>])(?:\(\*(\w+)\)|(\w+))")
MEMBER = re.compile(r"\s*(?:->|\.)\s*(\w+)")
SIZE_OF = re.compile(r"\bsizeof\(struct\s+(\w+)\)")


def without_comments(text):
    """The same number of lines, without comments, strings and directives."""
    def blank(match):
        return " " + "\n" * match.group(0).count("\n")
    return DIRECTIVE.sub(blank, COMMENT.sub(blank, text))


def closing(text, at):
    """Where the bracket at this place is closed."""
    depth = 0
    pairs = {"(": ")", "[": "]", "{": "}"}
    for i in range(at, len(text)):
        if text[i] in pairs:
            depth += 1
        elif text[i] in pairs.values():
            depth -= 1
            if not depth:
                return i
    return len(text) - 1


def split(text, mark):
    """The pieces between marks that are in no bracket."""
    pieces, begin, at = [], 0, 0
    while at < len(text):
        if text[at] in "([{":
            at = closing(text, at)
        elif text[at] == mark:
            pieces.append(text[begin:at])
            begin = at + 1
        at += 1
    return pieces + [text[begin:]]


def declared(text):
    """(name, structure) of each declarator in the declarations of a text."""
    for match in VARIABLE.finditer(text):
        yield match.group(2), match.group(1)
        before = text[:match.start()].rstrip()
        before = re.sub(r"\b(?:const|static|volatile)\s*$", "", before).rstrip()
        if before and before[-1] not in ";{}":
            continue        # a parameter: the next one has a type of its own
        rest = split(text[match.end():], ";")[0]
        for piece in split(rest, ",")[1:]:
            name = re.match(r"\s*\**\s*(\w+)", piece)
            if name:
                yield name.group(1), match.group(1)


class Structures:
    """What the files of a tree declare, and which structures each of them looks into."""

    def __init__(self, texts):
        self.texts = {f: without_comments(text) for f, text in texts.items()}
        self.members = {}       # structure: {member: structure or None}
        self.returns = {}       # function: structure
        for text in self.texts.values():
            self.read(text)

    def read(self, text):
        for match in STRUCT.finditer(text):
            end = closing(text, match.end() - 1)
            self.read_members(match.group(1), text[match.end():end])
        for match in FUNCTION.finditer(text):
            self.returns.setdefault(match.group(2), match.group(1))

    def read_members(self, name, body):
        of = self.members.setdefault(name, {})
        for statement in split(body, ";"):
            inner = re.match(r"\s*(?:struct|union)\s*\w*\s*\{", statement)
            if inner:
                end = closing(statement, inner.end() - 1)
                for member in re.findall(r"\w+", re.sub(r"\[.*?\]", "", statement[end:])):
                    of[member] = name + "." + member
                    self.read_members(of[member], statement[inner.end():end])
                continue
            match = re.match(r"\s*(?:const\s+|volatile\s+)*struct\s+(\w+)\b(?!\s*\{)", statement)
            kind = match.group(1) if match else None
            pieces = split(statement[match.end():] if match else statement, ",")
            for piece in pieces:
                member = re.search(r"\(\s*\*\s*(\w+)\s*\)|(\w+)\s*(?::\s*\d+|(?:\[[^\]]*\])*)\s*$",
                                   piece)
                if member:
                    of[member.group(1) or member.group(2)] = None if member.group(1) else kind

    def accesses(self, f):
        """{(structure, member)} that a file looks at."""
        text = self.texts[f]
        found = {(name, "sizeof") for name in SIZE_OF.findall(text)}
        begin = 0
        outer = dict(declared(re.sub(r"^\{.*?^\}", "", text, flags=re.M | re.S)))
        for match in re.finditer(r"^\{", text, re.M):
            if match.start() < begin:
                continue
            end = closing(text, match.start())
            head = text[max(text.rfind("\n}", 0, match.start()),
                            text.rfind(";", 0, match.start())) + 1:match.start()]
            body = text[match.start():end]
            types = {**outer, **dict(declared(head)), **dict(declared(body))}
            self.follow(body, types, found)
            begin = end
        return found

    def follow(self, body, types, found):
        for match in CHAIN.finditer(body):
            name = match.group(1) or match.group(2)
            kind, at = types.get(name), match.end()
            if at < len(body) and body[at] == "(":
                end = closing(body, at)
                kind = self.returns.get(name)
                if name == "container_of":
                    of = re.search(r",\s*struct\s+(\w+)\s*,", body[at:end])
                    kind = of.group(1) if of else None
                at = end + 1
            while kind:
                while at < len(body) and body[at] == "[":
                    at = closing(body, at) + 1
                member = MEMBER.match(body, at)
                if not member:
                    break
                found.add((kind, member.group(1)))
                kind = self.members.get(kind, {}).get(member.group(1))
                at = member.end()
            if kind and body[:match.start()].endswith("sizeof(*"):
                found.add((kind, "sizeof"))
