"""Open a module with VASSAL's engine and print, as JSON, what the engine makes of it.

`engine_driver.py CLASSPATH FOLDER MODULE QUESTIONS` runs in a process of its own, below Xvfb. FOLDER is for the
engine's settings; QUESTIONS is a JSON file:

- `drops`: map, x, y; where does a piece come to lie?
- `moves`: piece, map, x, y; and where does this one?
- `joined`: delimiter, text; which tokens does the engine read in it?
- `tokens`: delimiter, tokens; how does the engine write them?
- `trip`: two cities, or null; what does the chat say when a player rolls all destinations and looks up its payoff?
- `shots`: a folder for pictures of the maps, or null.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jpype

LOG = (
    '<configuration><appender name="E" class="ch.qos.logback.core.ConsoleAppender"><target>System.err</target><encoder>'
    '<pattern>%level %logger{0}: %msg%n%ex{5}</pattern></encoder></appender><root level="WARN">'
    '<appender-ref ref="E"/></root></configuration>'
)
KINDS = (
    "module.ChartWindow",
    "module.DiceButton",
    "module.NotesWindow",
    "module.PieceWindow",
    "module.PrototypeDefinition",
    "module.SpecialDiceButton",
    "module.ToolbarMenu",
    "module.documentation.HelpFile",
    "widget.Chart",
)


def java(name: str) -> Any:
    return jpype.JClass(name)


def start_machine(classpath: str, folder: Path) -> None:
    (folder / "logback.xml").write_text(LOG, encoding="utf-8")
    jpype.startJVM(
        "-Xmx1g",
        # one thread to collect garbage, and no second compiler: it lives for seconds
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        # Debian has no library for the wizards that VASSAL shows at its start; unverified, their classes are not missed
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:-BytecodeVerificationRemote",
        f"-DVASSAL.conf={folder}",
        f"-Duser.home={folder}",
        f"-Dlogback.configurationFile={folder / 'logback.xml'}",
        "-Djava.awt.headless=false",
        classpath=classpath.split(":"),
    )


def open_module(path: str) -> Any:
    """Open a module as the player's program does, without its windows for choosing one."""
    java("VASSAL.Info").setConfig(java("VASSAL.launch.StandardConfig")())
    player = java("java.lang.Class").forName("VASSAL.launch.Player$PlayerMenuManager")
    menus = player.getDeclaredConstructors()[0]
    menus.setAccessible(True)
    menus.newInstance()
    game_module = java("VASSAL.build.GameModule")
    game_module.init(game_module(java("VASSAL.tools.DataArchive")(path)))
    return game_module.getGameModule()


def start_game(module: Any) -> None:
    """Begin a game without the wizard, which would ask for a seat."""
    state = module.getGameState()
    field = state.getClass().getDeclaredField("gameComponents")
    field.setAccessible(True)
    components = [c for c in field.get(state) if c.getClass().getSimpleName() != "BasicLogger"]
    for start in (False, True):
        for component in components:
            component.setup(start)


def maps() -> dict[str, Any]:
    return {str(m.getMapName()): m for m in java("VASSAL.build.module.Map").getMapList()}


def contents(board_map: Any) -> dict[str, list[list[str]]]:
    """Return deck, or "" for what lies in the open -> names and zones of its pieces."""
    deck, stack = java("VASSAL.counters.Deck"), java("VASSAL.counters.Stack")
    out: dict[str, list[list[str]]] = {}
    for found in board_map.getPieces():
        name = str(found.getDeckName()) if isinstance(found, deck) else ""
        for piece in found.asList() if isinstance(found, stack) else [found]:
            out.setdefault(name, []).append([str(piece.getName()), str(piece.getProperty("CurrentZone"))])
    return out


def saved(module: Any, cards: str) -> list[str]:
    """Return the names of all pieces on the cards' map as a saved game would have them."""
    stack, add = java("VASSAL.counters.Stack"), java("VASSAL.command.AddPiece")
    pieces = [p for s in maps()[cards].getPieces() for p in (s.asList() if isinstance(s, stack) else [s])]
    return [str(module.decode(module.encode(add(piece))).getTarget().getName()) for piece in pieces]


def slots(part: Any) -> list[list[Any]]:
    """Return holder's kind and name, gpid, piece, its price, width and height for all slots, in their order."""
    out: list[list[Any]] = []
    for child in part.getBuildables():
        if isinstance(child, java("VASSAL.build.widget.PieceSlot")):
            piece = child.getPiece()
            box = piece.getShape().getBounds()
            holder = [str(part.getClass().getSimpleName()), str(part.getConfigureName())]
            said = [str(child.getGpId()), str(piece.getName()), str(piece.getProperty("Price"))]
            out.append([*holder, *said, int(box.width), int(box.height)])
        elif hasattr(child, "getBuildables"):
            out += slots(child)
    return out


def seats(module: Any) -> list[str]:
    (roster,) = module.getAllDescendantComponentsOf(java("VASSAL.build.module.PlayerRoster"))
    field = roster.getClass().getDeclaredField("sides")
    field.setAccessible(True)
    return [str(side) for side in field.get(roster)]


def dropped(drop: list[Any]) -> list[Any]:
    name, x, y = drop
    board_map = maps()[name]
    at = board_map.snapTo(java("java.awt.Point")(x, y))
    zone = board_map.findZone(at)
    return [int(at.x), int(at.y), str(board_map.locationName(at)), str(zone.getName()) if zone else None]


def moved(move: list[Any]) -> list[Any]:
    name, to, x, y = move
    stack, target = java("VASSAL.counters.Stack"), maps()[to]
    every = [p for m in maps().values() for s in m.getPieces() for p in (s.asList() if isinstance(s, stack) else [s])]
    (piece,) = (p for p in every if str(p.getName()) == name)
    target.placeOrMerge(piece, target.snapTo(java("java.awt.Point")(x, y))).execute()
    at = piece.getPosition()
    return [int(at.x), int(at.y), *(str(piece.getProperty(k)) for k in ("CurrentMap", "LocationName", "CurrentZone"))]


def read(delimiter: str, text: str) -> list[str]:
    decoder = java("VASSAL.tools.SequenceEncoder$Decoder")(text, jpype.JChar(delimiter))
    out = []
    while decoder.hasMoreTokens():
        out.append(str(decoder.nextToken()))
    return out


def written(delimiter: str, tokens: list[str]) -> str:
    encoder = java("VASSAL.tools.SequenceEncoder")(jpype.JChar(delimiter))
    for token in tokens:
        encoder.append(jpype.JString(token))
    return str(encoder.getValue())


def in_turn(what: Callable[[], Any]) -> None:
    """Do something in the thread of the windows, without waiting for its end: a dialog would be waited for."""
    runnable = jpype.JProxy("java.lang.Runnable", dict={"run": what})
    java("javax.swing.SwingUtilities").invokeLater(runnable)


def within(part: Any, kind: str) -> list[Any]:
    """Return all parts of a kind in a window."""
    out = [part] if isinstance(part, java(kind)) else []
    return out + [found for inner in getattr(part, "getComponents", tuple)() for found in within(inner, kind)]


def chat(module: Any) -> list[str]:
    chatter = module.getChatter()
    field = java("VASSAL.build.module.Chatter").class_.getDeclaredField("conversationPane")
    field.setAccessible(True)
    document = field.get(chatter).getDocument()
    return [line for line in str(document.getText(0, document.getLength())).splitlines() if line.strip()]


def looked_up(module: Any, trip: list[str], said: dict[str, str]) -> list[str]:
    """Press the buttons of the window as a player does, choose the cities of a trip, and return what the chat says."""
    window = module.getPlayerWindow()
    in_turn(lambda: window.setVisible(True))  # the engine hears keys only while its window shows
    for dice in module.getAllDescendantComponentsOf(java("VASSAL.build.module.SpecialDiceButton")):
        roll = dice.getClass().getDeclaredMethod("DR")
        roll.setAccessible(True)
        roll.invoke(dice)
    (button,) = (b for b in within(module.getToolBar(), "javax.swing.JButton") if str(b.getText()) == said["look_up"])
    while not button.isShowing():
        time.sleep(0.05)
    in_turn(button.doClick)
    left = list(trip)
    while not any(said["pays"] in line for line in chat(module)):  # who runs this has a limit
        for dialog in java("java.awt.Window").getWindows():
            if isinstance(dialog, java("javax.swing.JDialog")) and dialog.isShowing():
                for rows in within(dialog, "javax.swing.JList"):
                    in_turn(partial(rows.setSelectedValue, left.pop(0), True))  # noqa: FBT003 - Java takes no names
                (accept,) = (b for b in within(dialog, "javax.swing.JButton") if str(b.getText()) == "OK")
                in_turn(accept.doClick)
                while dialog.isShowing():
                    time.sleep(0.05)
        time.sleep(0.05)
    return chat(module)


def shoot(folder: Path) -> None:
    """Paint every map as it is now; to pack the pictures would take longer than to paint them."""
    images = java("java.awt.image.BufferedImage")
    for name, board_map in maps().items():
        size, zoom = board_map.mapSize(), board_map.getZoom()
        image = images(int(size.width * zoom), int(size.height * zoom), images.TYPE_INT_RGB)
        graphics = image.createGraphics()
        for board in board_map.getBoards():
            board.draw(graphics, 0, 0, zoom, None)
        board_map.drawPieces(graphics, 0, 0)
        java("javax.imageio.ImageIO").write(image, "bmp", java("java.io.File")(str(folder / f"{name}.bmp")))


def main() -> None:
    classpath, folder, path, asked = sys.argv[1:]
    questions = json.loads(Path(asked).read_text(encoding="utf-8"))
    start_machine(classpath, Path(folder))
    module = open_module(path)
    start_game(module)
    answers = {
        "name": str(module.getGameName()),
        "sizes": {name: [int(m.mapSize().width), int(m.mapSize().height)] for name, m in maps().items()},
        "pieces": {name: contents(board_map) for name, board_map in maps().items()},
        "slots": slots(module),
        "widgets": {
            kind: [str(c.getConfigureName()) for c in module.getAllDescendantComponentsOf(java(f"VASSAL.build.{kind}"))]
            for kind in KINDS
        },
        "saved": saved(module, questions["said"]["cards"]),
        "seats": seats(module),
        "drops": [dropped(drop) for drop in questions["drops"]],
        "moves": [moved(move) for move in questions["moves"]],
        "joined": [read(*row) for row in questions["joined"]],
        "tokens": [written(*row) for row in questions["tokens"]],
    }
    if questions["trip"]:
        answers["chat"] = looked_up(module, questions["trip"], questions["said"])
    if questions["shots"]:
        shoot(Path(questions["shots"]))
    print("ANSWERS " + json.dumps(answers), flush=True)


if __name__ == "__main__":
    code = 1
    try:
        main()
        code = 0
    except BaseException as error:  # noqa: BLE001 - the engine's threads would keep a failed process alive
        trace = getattr(error, "stacktrace", None)
        print(f"{type(error).__name__}: {error}\n{trace() if trace else ''}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)
