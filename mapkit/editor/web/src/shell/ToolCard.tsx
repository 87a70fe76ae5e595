import { currentTool } from "../tools";

/** What can be set for the chosen tool, over a corner of the canvas. */
export function ToolCard() {
  const Card = currentTool.value.card;
  if (!Card) return null;
  return (
    <section class="toolcard" aria-label={`Settings of the tool: ${currentTool.value.short ?? currentTool.value.label}`}>
      <Card />
    </section>
  );
}
