/** @module Why a row is as it is: a button beside it, and the answer of the door in a dialog, with the command that gives the same. */
import type { PageElement, PageEvent, Tree } from './browser.ts';
import { html } from './html.ts';
import type { PageState } from './store.ts';
import { clockWords } from './words.ts';

/** What a person asks for. */
export interface ExplainCalls {
  explain(question: string): void;
  close(): void;
}

/** A button that asks a question, such as `fill 163-0-1`. */
export function explainButton(question: string, calls: ExplainCalls): Tree {
  return html`<button type="button" class="link" data-explain=${question} title=${`ballast explain ${question}`}
    onClick=${() => calls.explain(question)}>explain</button>`;
}

const showModal = (element: PageElement | null): void => {
  if (element !== null && element.open !== true) element.showModal?.();
};

/** The answer to the question that was asked last, until it is closed. */
export function explanation({ explained, message }: PageState, calls: ExplainCalls): Tree {
  if (explained === undefined) return null;
  const { question, answer, steps, problem } = explained;
  const close = (event: PageEvent): void => {
    event.preventDefault();
    calls.close();
  };
  const command = `ballast explain ${question} --run ${message?.run.runId ?? 'latest'}`;
  return html`<dialog class="wide" ref=${showModal} onCancel=${close} aria-labelledby="explanation-title">
    <h2 id="explanation-title">${question}</h2>
    ${
      problem !== undefined
        ? html`<p class="answer bad" role="status">${problem}</p>`
        : answer === undefined
          ? html`<p class="soft" role="status">The journal is read…</p>`
          : html`<p class="answer" role="status">${answer}</p>
            <ol class="entries tall">${steps.map(
              ({ step, atMs, text }, at) =>
                html`<li key=${at}><time>${atMs === null ? '' : clockWords(atMs)}</time> <span><b>${step}</b> ${text}</span></li>`,
            )}</ol>`
    }
    <p class="soft">The same on a terminal: <code id="explain-command">${command}</code></p>
    <div class="buttons"><button type="button" onClick=${close}>Close</button></div>
  </dialog>`;
}
