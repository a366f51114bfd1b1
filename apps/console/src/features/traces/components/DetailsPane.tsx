import type { Ref } from 'react'

import { CloseIcon, IconButton } from '../../../ui/index.ts'
import { NODE } from '../model/layout.ts'
import type { TraceView } from '../trace-view.ts'
import { SpanDetails } from './SpanDetails.tsx'
import { FoldDetails, TraceSummary } from './TraceSummary.tsx'
import styles from './DetailsPane.module.css'

/** Beside the rows, or a sheet below them: the selected span; without one, what the trace came to. */
export function DetailsPane({
  ref,
  org,
  trace,
  view,
  onClose,
}: {
  readonly ref: Ref<HTMLElement>
  readonly org: string
  readonly trace: string
  readonly view: TraceView
  /** Only of the sheet. */
  readonly onClose: (() => void) | undefined
}) {
  const { current, layout } = view
  const fold = layout.folds.get(current)
  return (
    <aside
      ref={ref}
      aria-label="Details"
      tabIndex={-1}
      className={styles.pane}
      data-sheet={onClose === undefined ? undefined : ''}
    >
      {onClose === undefined ? null : (
        <span className={styles.close}>
          <IconButton icon={CloseIcon} label="Close the details" onClick={onClose} />
        </span>
      )}
      {fold !== undefined ? (
        <FoldDetails org={org} view={view} node={current} fold={fold} />
      ) : layout.kind[current] === NODE.span ? (
        <SpanDetails
          key={layout.span[current]}
          org={org}
          trace={trace}
          view={view}
          span={layout.span[current] as number}
        />
      ) : (
        <TraceSummary org={org} trace={trace} view={view} />
      )}
    </aside>
  )
}
