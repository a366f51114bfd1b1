import { SPAN_FLAGS } from '@firsthand/contract'
import { type CSSProperties, memo } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { ChevronDownIcon, ChevronRightIcon, Link, VisibleText, VisuallyHidden, WarningIcon } from '../../../ui/index.ts'
import { KindGlyph } from '../kinds/KindGlyph.tsx'
import { KINDS } from '../kinds/kinds.ts'
import { alikeWords, problemOf } from '../model/finding.ts'
import { NODE } from '../model/layout.ts'
import { hasFlag, nameOf, type TraceFinding, type TraceModel, wordOf } from '../model/trace.ts'
import type { Gap } from '../model/work.ts'
import { extentOf, type TraceView } from '../trace-view.ts'
import styles from './WaterfallRow.module.css'

/** Deeper rows are not indented further: their names must have room. */
const MAX_INDENT = 16
/** Words stand left of a bar that ends in this last part. */
const NEAR_END = 0.72
const MILLISECOND = 1000

export const rowId = (node: number): string => `span-row-${node}`

/** What all rows are drawn from; the same object until one of its parts changes, so that rows that stay are not drawn again. */
export type RowsShared = Pick<TraceView, 'model' | 'layout' | 'closed' | 'hits' | 'zoom'> & {
  readonly gaps: (span: number) => readonly Gap[]
  /** What projects are called, by their number in the model. */
  readonly services: readonly string[]
}

interface RowProps {
  readonly org: string
  readonly shared: RowsShared
  readonly node: number
  readonly isSelected: boolean
  readonly rowIndex: number
  readonly rowHeight: number
}

export const WaterfallRow = memo(function WaterfallRow(props: RowProps) {
  const { org, shared, node, isSelected, rowIndex, rowHeight } = props
  const { closed, layout } = shared
  const depth = layout.depth[node] as number
  const below = layout.size[node] as number
  const isOpen = closed[node] === 0
  const finding = findingOf(shared, node)
  return (
    <div
      role="row"
      id={rowId(node)}
      aria-level={depth + 1}
      aria-setsize={layout.siblings[node]}
      aria-posinset={layout.position[node]}
      aria-rowindex={rowIndex + 1}
      aria-expanded={below === 0 ? undefined : isOpen}
      aria-selected={isSelected}
      className={cx(styles.row, finding !== undefined && styles.found, isSelected && styles.selected)}
      style={
        {
          transform: `translateY(${rowIndex * rowHeight}px)`,
          '--depth': Math.min(depth, MAX_INDENT),
        } as CSSProperties
      }
    >
      <div role="gridcell" className={styles.name}>
        {below === 0 ? (
          <span className={styles.twist} />
        ) : (
          <span className={styles.twist} data-twist="">
            {isOpen ? <ChevronDownIcon size={12} /> : <ChevronRightIcon size={12} />}
          </span>
        )}
        <Name shared={shared} node={node} />
        {finding === undefined ? null : <VisuallyHidden>, part of {finding.title}</VisuallyHidden>}
      </div>
      <Times shared={shared} node={node} />
      <div role="gridcell" className={styles.time}>
        <Notes org={org} shared={shared} node={node} />
      </div>
    </div>
  )
})

/** The problem that the span shows, or the spans that are folded into the row. */
function findingOf({ layout, model }: RowsShared, node: number): TraceFinding | undefined {
  const fold = layout.folds.get(node)
  return model.findingsOf.get(fold === undefined ? (layout.span[node] as number) : (fold.members[0] ?? -1))
}

/** One row of each problem names its issue. */
function namedFinding(shared: RowsShared, node: number): TraceFinding | undefined {
  const finding = findingOf(shared, node)
  const first = shared.model.indexOf(finding?.spanIds[0] ?? '')
  const isNamed = shared.layout.folds.has(node) || shared.layout.span[node] === first
  return isNamed ? finding : undefined
}

function isHit(hits: Int32Array, node: number): boolean {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle] as number) < node) low = middle + 1
    else high = middle
  }
  return hits[low] === node
}

interface PartProps {
  readonly shared: RowsShared
  readonly node: number
}

function Name({ shared, node }: PartProps) {
  const { hits, layout, model, services } = shared
  const span = layout.span[node] as number
  if (layout.kind[node] === NODE.missing) {
    return (
      <>
        <WarningIcon size={14} className={styles.warning} />
        <span className={styles.missing}>Parent is missing</span>
      </>
    )
  }
  const fold = layout.folds.get(node)
  const isFailed = fold === undefined ? hasFlag(model, span, SPAN_FLAGS.failed) : fold.failed > 0
  return (
    <>
      <KindGlyph kind={KINDS[model.kind[span] as number] ?? 'code'} />
      <span className={cx(styles.text, isFailed && styles.failed, isHit(hits, node) && styles.hit)}>
        <VisibleText text={nameOf(model, span)} />
      </span>
      {isFailed ? <VisuallyHidden>, failed</VisuallyHidden> : null}
      {fold === undefined ? null : <span className={styles.times}>{formatCount(fold.members.length)}×</span>}
      {fold === undefined && isNewService(model, span) ? (
        <span className={styles.service}>
          <VisibleText text={services[model.project[span] as number] ?? ''} />
        </span>
      ) : null}
    </>
  )
}

/** A service is named where it changes. */
function isNewService(model: TraceModel, span: number): boolean {
  const above = model.parent[span] as number
  return above === -1 || model.project[above] !== model.project[span]
}

function Times({ shared: { layout, model }, node }: PartProps) {
  const span = layout.span[node] as number
  const fold = layout.folds.get(node)
  const took = fold === undefined ? (model.end[span] ?? 0) - (model.start[span] ?? 0) : fold.sum
  return (
    <div role="gridcell" className={styles.took}>
      {span === -1 ? '' : formatSpent(took / MILLISECOND)}
      {fold === undefined ? null : <VisuallyHidden> together</VisuallyHidden>}
    </div>
  )
}

/** What explains a bar, in words. */
function notesOf(shared: RowsShared, node: number): readonly string[] {
  const { layout, model, gaps } = shared
  const fold = layout.folds.get(node)
  if (fold !== undefined) {
    const failed = fold.failed === 0 ? [] : [`${formatCount(fold.failed)} failed`]
    return [alikeWords(fold.members.length, findingOf(shared, node)), ...failed]
  }
  const span = layout.span[node] as number
  if (span === -1) return [`${formatCount(layout.size[node] as number)} spans below it came without it`]
  const notes: string[] = []
  if (hasFlag(model, span, SPAN_FLAGS.failed))
    notes.push(wordOf(model, model.status[span]).replaceAll('_', ' ') || 'failed')
  for (const gap of gaps(span)) notes.push(`gap ${formatSpent((gap.to - gap.from) / MILLISECOND)}, nothing recorded`)
  const shift = (model.shift[span] as number) - (model.shift[model.parent[span] as number] ?? 0)
  if (Math.abs(shift) >= MILLISECOND)
    notes.push(`clock ${shift < 0 ? '+' : '−'}${formatSpent(Math.abs(shift) / MILLISECOND)}, corrected`)
  if (hasFlag(model, span, SPAN_FLAGS.cycle)) notes.push('was its own ancestor')
  return notes
}

function Notes({ org, shared, node }: PartProps & { readonly org: string }) {
  const { layout, model, zoom } = shared
  const [from, to] = extentOf(model, layout, node)
  const errors = layout.kind[node] === NODE.span ? (model.errorsOf.get(layout.span[node] as number) ?? []) : []
  const finding = namedFinding(shared, node)
  const length = zoom.to - zoom.from
  const isEarlier = to < zoom.from
  const isLater = from > zoom.to
  const away = isEarlier
    ? `‹ ${formatSpent((zoom.from - to) / MILLISECOND)} earlier`
    : `${formatSpent((from - zoom.to) / MILLISECOND)} later ›`
  const words = isEarlier || isLater ? [away] : notesOf(shared, node)
  if (words.length === 0 && errors.length === 0 && finding === undefined) return null
  const end = (to - zoom.from) / length
  const start = (from - zoom.from) / length
  const isLeft = !isEarlier && (isLater || end > NEAR_END) && (isLater || start > 1 - NEAR_END)
  const inside = !isLeft && end > NEAR_END
  const place: CSSProperties = isLeft
    ? { right: `calc(${Math.max(0, 100 - start * 100)}% + 7px)` }
    : { left: `calc(${inside ? Math.max(0, start * 100) : Math.max(0, end * 100)}% + 7px)` }
  return (
    <span className={cx(styles.notes, inside && styles.inside)} style={place}>
      {words.join(' · ')}
      {finding === undefined ? null : (
        <Link
          look="quiet"
          className={styles.finding}
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: finding.issueId }}
          search={{ event: finding.eventId }}
          tabIndex={-1}
          title={finding.title}
        >
          ▲ {finding.shortId} {layout.folds.has(node) ? '' : problemOf(finding)}
        </Link>
      )}
      {errors.slice(0, 3).map((error) => (
        <Link
          key={error.eventId}
          look="quiet"
          className={styles.error}
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: error.issueId }}
          search={{ event: error.eventId }}
          tabIndex={-1}
          title={error.title}
        >
          ◆ {error.shortId}
        </Link>
      ))}
      {errors.length > 3 ? ` and ${errors.length - 3} more errors` : ''}
    </span>
  )
}
