"""`textwrap` where paths shall meet again soon.

`dedent` is without the regular expression that it makes of the text.  `TextWrapper` looks at one
chunk after the other, and not at one line after the other: how many chunks a line has depends on
their lengths, but how many chunks there are hardly does.  Tabs are expanded once the chunks are
known, where they are nothing but white space.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, name-defined, has-type, attr-defined"
# mypy: disable-error-code="var-annotated"
from __future__ import annotations


def dedent(text):
    lines = text.split("\n")
    margin = None
    kept = []
    for line in lines:
        found = len(line) - len(line.lstrip(" \t"))
        if found == len(line):
            kept.append("")
            continue
        kept.append(line)
        if margin is None:
            margin = line[:found]
        else:
            margin = margin[: _common(margin, line[:found])]
    if margin is None:
        margin = ""
    return "\n".join([line.removeprefix(margin) for line in kept])


def _common(first, second):
    """How many characters two texts have in common at their start."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


class _Lines:
    """The lines of a wrapped text, of which the last one is being filled."""

    def __init__(self, wrapper):
        self.wrapper = wrapper
        self.lines = []
        # Whether there are as many lines as there may be, and some text is left.
        self.full = False
        # At which column of the text the next chunk begins.
        self.at = 0
        self.begin()

    def begin(self):
        self.begun = False
        # The column of the text at which the line begins: it has closer bounds than sums of sizes.
        self.start = self.at
        # The chunks of the line but the last one, whether there are any, and the last one.
        self.before = ""
        self.several = False
        self.last = ""
        self.some = False
        # As much of the line as leaves room for the placeholder.
        self.short = ""
        self.shortens = False

    def indent(self):
        return self.wrapper.subsequent_indent if self.lines else self.wrapper.initial_indent

    def take(self, word, end, nothing, blank):
        """A word that ends at a column, or spaces; after it comes nothing, or one blank chunk."""
        wrapper = self.wrapper
        if not word and wrapper.drop_whitespace and wrapper.break_long_words:
            self.take_spaces(end, nothing)
            return
        chunk = word or " " * (end - self.at)
        while True:
            if self.drops(chunk.strip() == ""):
                self.at = self.start = end
                return
            width = wrapper.width - len(self.indent())
            if end - self.start <= width:
                self.put(chunk)
                self.at = end
                return
            left = [chunk]
            if len(chunk) > width:
                line = [self.before + self.last] if self.some else []
                count = len(line)
                wrapper._handle_long_word(left, line, self.at - self.start, width)
                if len(line) > count:
                    self.put(line[-1])
            if not left:
                self.at = end
                self.close(nothing or (wrapper.drop_whitespace and blank))
                return
            chunk = left[0]
            self.at = end - len(chunk)
            self.close(nothing and wrapper.drop_whitespace and not chunk.strip())
            if self.full:
                return

    def drops(self, blank):
        """Whether a chunk is left out: a blank one at the start of a line but the first."""
        if self.begun:
            return False
        self.begun = True
        return blank and self.wrapper.drop_whitespace and len(self.lines) > 0

    def take_spaces(self, end, nothing):
        """Spaces up to a column, of which those at the end of a line are dropped."""
        if self.drops(True):
            self.at = self.start = end
            return
        width = self.wrapper.width - len(self.indent())
        if end - self.start > width:
            first = self.at
            if end - self.at > width:
                # Lines are filled up with it, and end before it.
                first = end - ((end - self.start - 1) % width + 1)
                self.put(" ")
            self.at = first
            self.close(nothing)
            if self.full:
                return
            if self.drops(True):
                self.at = self.start = end
                return
        self.put(" " * min(end - self.at, width))
        self.at = end

    def put(self, chunk):
        """A chunk at the end of the line."""
        self.before += self.last
        self.several = self.some
        self.last = chunk
        self.some = True
        if self.wrapper.max_lines is not None and chunk.strip():
            text = self.before + chunk
            room = self.wrapper.width - len(self.indent()) - len(self.wrapper.placeholder)
            if len(text) <= room:
                self.short = text
                self.shortens = True

    def close(self, ends):
        """The line is done, and with it the text or all of it that is not blank."""
        wrapper = self.wrapper
        text = self.before + self.last
        some = self.some
        if wrapper.drop_whitespace and some and self.last.strip() == "":
            text = self.before
            some = self.several
        if some:
            indent = self.indent()
            most = wrapper.max_lines
            if (
                most is None
                or len(self.lines) + 1 < most
                or (ends and len(text) <= wrapper.width - len(indent))
            ):
                self.lines.append(indent + text)
            else:
                self.full = True
                self.shorten(indent)
        self.begin()

    def shorten(self, indent):
        """The last line, with the placeholder for what has no room."""
        placeholder = self.wrapper.placeholder
        if self.shortens:
            self.lines.append(indent + self.short + placeholder)
            return
        if self.lines:
            previous = self.lines[-1].rstrip()
            if len(previous) + len(placeholder) <= self.wrapper.width:
                self.lines[-1] = previous + placeholder
                return
        self.lines.append(indent + placeholder.lstrip())


def _is_own(self):
    """Whether a wrapper is of the class itself, and white space is but spaces in what it makes."""
    return (
        type(self).__module__ == "textwrap"
        and self.expand_tabs is True
        and self.replace_whitespace is True
        and not self.fix_sentence_endings
        and type(self.tabsize) is int
        and self.tabsize > 0
    )


def _has_room(self):
    """Whether a line has room for a character, and the last one for the placeholder."""
    indents = (self.initial_indent, self.subsequent_indent)
    if self.width - max(map(len, indents)) < 1:
        return False
    if self.max_lines is None:
        return True
    indent = indents[self.max_lines > 1]
    return len(indent) + len(self.placeholder.lstrip()) <= self.width


def _ends(self, text):
    """At which places of a text a chunk ends.

    Where one white space ends a chunk, every other does: none needs to be a space for that.
    """
    if self.break_on_hyphens is True:
        place = 0
        ends = []
        for piece in self.wordsep_re.split(text):
            place += len(piece)
            ends.append(place)
        return ends
    ends = []
    before = False
    for place, character in enumerate(text):
        blank = character in _whitespace  # noqa: F821
        if blank != before:
            ends.append(place)
        before = blank
    return ends


def _chunks(self, text):
    """For each character whether a chunk ends with it, the word that it is, and its column."""
    ends = _ends(self, text)
    column = 0
    end = 0
    word = ""
    result = []
    for place, character in enumerate(text):
        if character == "\t":
            end += self.tabsize - column
            column = 0
        elif character in _whitespace:  # noqa: F821
            end += 1
            column = 0 if character in "\n\r" else (column + 1) % self.tabsize
        else:
            end += 1
            word += character
            column = (column + 1) % self.tabsize
        if place + 1 == len(text) or place + 1 in ends:
            result.append((True, word, end))
            word = ""
        else:
            result.append((False, "", end))
    return result


_line_by_line = TextWrapper.wrap  # noqa: F821


def _wrap(self, text):
    if not _is_own(self) or not _has_room(self):
        return _line_by_line(self, text)
    followed = []
    nothing, blank = True, False
    for here, word, end in reversed(_chunks(self, text)):
        followed.append((here, word, end, nothing, blank))
        if here:
            blank = nothing and not word.strip()
            nothing = False
    result = _Lines(self)
    for here, word, end, nothing, blank in reversed(followed):
        if here:
            result.take(word, end, nothing, blank)
        if result.full:
            break
    else:
        result.close(True)
    return result.lines


TextWrapper.wrap = _wrap  # noqa: F821
