"""The editor in Firefox: a board is opened, changed by mouse and keyboard, undone and saved, and no script fails."""

from pathlib import Path

from editing import serving
from firefox import firefox
from optional import built_page


def test_a_board_is_edited_and_saved_in_firefox(example: Path, tmp_path: Path) -> None:
    built_page()
    with serving(example) as served, firefox(tmp_path) as page:
        session = served.session
        first = min(session.document.railroads, key=lambda key: session.document.railroads[key].rank)
        short, was = session.document.railroads[first].short, session.document.railroads[first].price
        page.open(served.door.new_address(), width=1280, height=720)
        status = "document.querySelector('.status')?.textContent ?? ''"
        page.until(f"({status}).includes('Saved, revision 0')")
        assert (
            page.value("document.fonts.ready.then(() => document.fonts.check('14px \"Inter Variable\"'))") is not False
        )
        # the board is drawn: the canvas shows more than its ground
        painted = """(() => {
            const seen = new Set();
            for (const canvas of document.querySelectorAll('.map canvas')) {
                const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
                for (let at = 0; at < data.length; at += 4 * 997) seen.add(data.slice(at, at + 4).join());
            }
            return seen.size > 3;
        })()"""
        page.until(painted)
        # a price is changed in the table of railroads
        page.click("document.querySelector('#space-railroads, [role=tab][id*=railroads]')")
        page.click("document.querySelector(\"[data-cell='0:3']\")", twice=True)
        page.until("document.activeElement?.matches('.edit-table input')")
        page.type("Control+a", "4321", "Enter")
        page.until(f"({status}).includes('Kept, not yet in the files')")
        assert session.document.railroads[first].price == 4321
        # a city is found, and moved by the keyboard
        city = min(session.document.cities, key=lambda key: session.document.cities[key].name)
        lon = session.document.cities[city].lon
        page.type("Escape", "Control+k")
        page.until("document.activeElement?.matches('dialog input')")
        page.type(session.document.cities[city].name, "Enter")
        page.until(f"({status}).includes('1 selected')")
        page.value("document.querySelector('#board').focus() ?? 1")
        page.type("Space", "ArrowRight", "ArrowRight", "Space")
        page.until(f"({status}).includes('revision 2')")
        assert session.document.cities[city].lon > lon
        page.type("Control+z")
        page.until(f"({status}).includes('revision 3')")
        assert session.document.cities[city].lon == lon
        page.type("Control+s")
        page.until(f"({status}).includes('Saved, revision')")
        rows = (example / "railroads.csv").read_text(encoding="utf-8")
        assert "4321" in rows
        assert was != 4321
        assert short in rows
        assert page.said == []
