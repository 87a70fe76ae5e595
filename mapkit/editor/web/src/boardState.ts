// What every page knows of its board, whatever the kind: steps, findings and whether it is saved.
import { computed, signal } from "@preact/signals";
import type { ListedHistory, ShownFinding } from "./generated";

/** The part of a message that says where the steps are. */
export interface StepsNow {
  readonly revision: number;
  readonly position: number;
  readonly history: ListedHistory;
  readonly unsaved: boolean;
}

export class BoardState {
  readonly revision = signal(0);
  readonly position = signal(0);
  readonly unsaved = signal(false);
  readonly history = signal<ListedHistory>({ position: 0, saved: 0, steps: [], other: [] });
  readonly findings = signal<readonly ShownFinding[]>([]);
  /** What Undo and Redo would do; null when there is nothing. */
  readonly toUndo = computed(() => {
    const { position, steps } = this.history.value;
    return position === 0 ? null : (steps.find((step) => step.n === position)?.label ?? null);
  });
  readonly toRedo = computed(() => this.history.value.steps.find((step) => !step.done)?.label ?? null);

  /** Take in what a message says of the steps; messages of other sorts say nothing of them. */
  hearSteps(message: { readonly type: string } & Partial<StepsNow>): void {
    if (message.type === "hello" || message.type === "changed") {
      this.revision.value = message.revision ?? this.revision.value;
      this.position.value = message.position ?? this.position.value;
    }
    if (message.type !== "findings") {
      this.history.value = message.history ?? this.history.value;
      this.unsaved.value = message.unsaved ?? this.unsaved.value;
    }
  }
}
