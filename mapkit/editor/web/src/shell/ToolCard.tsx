import { computed, signal } from "@preact/signals";
import { currentTool } from "../tools";
import { paneShown } from "./pane";
import { cramped } from "./room";

const open = signal(true);

/** Whether what can be set for the tool stands in the inspector: it has settings, and there is room. */
export const cardInInspector = computed(() => currentTool.value.card !== undefined && paneShown.value && !cramped.value);

function Settings() {
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

/** What can be set for the chosen tool, in the inspector. */
export const ToolSettings = () => (cardInInspector.value ? <Settings /> : null);

/** The same over a corner of the canvas, where no inspector is. */
export const ToolCard = () => (cardInInspector.value ? null : <Settings />);
