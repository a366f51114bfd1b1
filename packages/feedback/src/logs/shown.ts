import { element } from '../editor/dom.ts'
import type { Surface } from '../loader/surface.ts'
import type { Line } from './ring.ts'

const STYLES = `
.lines{max-height:min(160px,25dvh);overflow:auto;margin:0 0 4px;padding:6px 8px;border-radius:6px;background:var(--fh-sunk);font:11px/16px ui-monospace,monospace;list-style:none;direction:ltr;text-align:start;overflow-wrap:anywhere}
.lines:focus-visible{outline:var(--outline)}
.lines li+li{margin-top:3px}
.lines .bad{color:color-mix(in srgb,var(--fh-error) 82%,var(--fh-ink))}
`

const wordsOf = ({ category, level, message = '', data = {} }: Line): string =>
  category === 'console'
    ? `${level ?? ''} ${message}`
    : `${data['method'] ?? ''} ${data['url'] ?? ''} ${data['status_code'] ?? ''}`.trim()

/** The lines as they go along, for whoever wants to read them first. */
export const showLines = (lines: readonly Line[], label: string, surface: Surface): HTMLElement => {
  surface.style('lines', STYLES)
  const rows = lines.map((line) => element('li', { class: line.level === 'error' ? 'bad' : '' }, wordsOf(line)))
  // What scrolls can be reached by keys.
  return element('ol', { class: 'lines', 'aria-label': label, tabindex: '0' }, ...rows)
}
