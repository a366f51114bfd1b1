import { element, fill } from '../editor/dom.ts'
import type { ClientLike } from '../client.ts'
import type { Included } from '../send/report-event.ts'
import type { Texts } from '../text/en.ts'

type Part = keyof Included

const LABELS = {
  page: 'includePage',
  browser: 'includeBrowser',
  actions: 'includeActions',
  replay: 'includeReplay',
} as const

/** Shows what goes along with the text, and lets the visitor take each part out. */
export const createIncluded = (
  client: ClientLike | undefined,
  texts: Texts,
): { element: HTMLElement; read(): Included } => {
  const has = (name: string): boolean => Boolean(client?.getIntegrationByName?.(name))
  const parts: Part[] = ['page', 'browser']
  if (has('Breadcrumbs')) parts.push('actions')
  if (has('Replay')) parts.push('replay')
  const boxes = parts.map((part) => {
    const input = element('input', { type: 'checkbox', checked: true })
    return { part, input, label: element('label', { class: 'check' }, input, texts[LABELS[part]]) }
  })
  const summary = element('summary', {})
  const details = element('details', { class: 'included' }, summary, ...boxes.map(({ label }) => label))
  const say = (): void => {
    const list = boxes.filter(({ input }) => input.checked).map(({ part }) => texts[LABELS[part]])
    summary.textContent =
      list.length === 0 ? texts.includesNothingText : fill(texts.includesText, { list: list.join(texts.listSeparator) })
  }
  details.addEventListener('change', say)
  say()
  const isIn = (part: Part): boolean => boxes.find((box) => box.part === part)?.input.checked ?? true
  return {
    element: details,
    read: () => ({ page: isIn('page'), browser: isIn('browser'), actions: isIn('actions'), replay: isIn('replay') }),
  }
}
