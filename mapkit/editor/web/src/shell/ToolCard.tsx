import { signal } from "@preact/signals";
import { currentTool } from "../tools";

const open = signal(true);

/** What can be set for the chosen tool, over a corner of the canvas. */
export function ToolCard() {
  const tool = currentTool.value;
  const Card = tool.card;
  if (!Card) return null;
  const name = tool.short ?? tool.label;
  return (
    <section class="toolcard" aria-label={`Settings of the tool: ${name}`}>
      <details open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>{name}</summary>
        <div class="settings">
          <Card key={tool.id} />
        </div>
      </details>
    </section>
  );
}
