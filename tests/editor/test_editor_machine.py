"""Whatever is done: undo leads back, redo leads on, the journal gives the same board, and so do the saved files."""

import shutil
import tempfile
from pathlib import Path

import pytest
from board_helpers import open_folder
from edited import commands, small_board
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sampling import examples

from mapkit.kinds.rail.commands import CommandError
from mapkit.kinds.rail.editing.saving import all_files
from mapkit.kinds.rail.reading.package import document_of
from mapkit.kinds.rail.tables import RailDocument, ranked
from mapkit.kinds.registry import open_session

pytestmark = pytest.mark.slow


class Editing(RuleBasedStateMachine):
    """An author at work, with a model of every step's document."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="mapkit-"))
        self.folder = small_board(self.home)
        self.session = open_session(self.folder)
        self.start = self.session.document
        self.model: dict[int, RailDocument] = {0: self.start}

    def teardown(self) -> None:
        position, end = self.session.position, self.session.document
        count = 0
        while self.session.position:
            self.session.undo()
            count += 1
        assert self.session.document == self.start
        for _ in range(count):
            self.session.redo()
        assert (self.session.position, self.session.document) == (position, end)
        assert open_session(self.folder).document == end
        shutil.rmtree(self.home)

    @rule(data=st.data())
    def do(self, data: st.DataObject) -> None:
        before = self.session.document
        made = data.draw(commands(before))
        try:
            done = self.session.do(made)
        except CommandError:
            assert self.session.document is before
            return
        assert done.label
        if done.patch:
            self.model[done.position] = self.session.document
        assert document_of(all_files(self.session.document)) == ranked(self.session.document)

    @rule(by=st.booleans())
    def step(self, *, by: bool) -> None:
        undone = any(not step["done"] for step in self.session.history()["steps"])
        possible = self.session.position > 0 if by else undone
        if possible:
            self.session.undo() if by else self.session.redo()
        else:
            with pytest.raises(CommandError, match="there is nothing to"):
                self.session.undo() if by else self.session.redo()

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        self.session.goto(data.draw(st.sampled_from(sorted(self.model))))

    @rule()
    def save(self) -> None:
        self.session.save()
        assert not self.session.unsaved
        assert open_folder(self.folder) == ranked(self.session.document)
        assert self.session.save() == ()

    @rule()
    def open_again(self) -> None:
        history, revision = self.session.history(), self.session.revision
        self.session = open_session(self.folder)
        assert (self.session.history(), self.session.revision) == (history, revision)

    @invariant()
    def is_where_the_model_says(self) -> None:
        assert self.session.document == self.model[self.session.position]


TestEditing = Editing.TestCase
TestEditing.settings = settings(
    max_examples=examples(12), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
