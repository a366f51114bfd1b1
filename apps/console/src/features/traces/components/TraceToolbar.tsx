import type { RefObject } from 'react'

import { formatCount } from '../../../lib/format.ts'
import {
  Button,
  ChevronDownIcon,
  ChevronUpIcon,
  IconButton,
  Input,
  SearchIcon,
  Switch,
  VisuallyHidden,
} from '../../../ui/index.ts'
import { KindGlyph } from '../kinds/KindGlyph.tsx'
import { KINDS } from '../kinds/kinds.ts'
import { isWhole } from '../model/time-axis.ts'
import type { TraceView } from '../trace-view.ts'
import styles from './TraceToolbar.module.css'

/** Search, what the signs mean, and what is drawn. */
export function TraceToolbar({
  view,
  field,
}: {
  readonly view: TraceView
  readonly field: RefObject<HTMLInputElement | null>
}) {
  const { current, hits, query, rows } = view
  const isSearching = query.trim() !== ''
  const at = hits.indexOf(current) + 1
  const said = hits.length === 0 ? 'none' : `${at === 0 ? '' : `${formatCount(at)} of `}${formatCount(hits.length)}`
  return (
    <div className={styles.bar}>
      <div className={styles.search} role="search">
        <Input
          ref={field}
          icon={SearchIcon}
          aria-label="Search spans"
          placeholder="Name or operation"
          value={query}
          onValueChange={view.setQuery}
          onKeyDown={(event) => {
            if (event.key === 'Enter') view.toHit(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') {
              view.setQuery('')
              event.currentTarget.blur()
            } else return
            event.preventDefault()
            event.stopPropagation()
          }}
          trailing={
            isSearching ? (
              <span className={styles.count} role="status">
                {said}
                <VisuallyHidden> {hits.length === 1 ? 'hit' : 'hits'}</VisuallyHidden>
              </span>
            ) : undefined
          }
        />
        {isSearching ? (
          <>
            <IconButton
              icon={ChevronUpIcon}
              label="Previous hit"
              kbd="p"
              disabled={hits.length === 0}
              onClick={() => view.toHit(-1)}
            />
            <IconButton
              icon={ChevronDownIcon}
              label="Next hit"
              kbd="n"
              disabled={hits.length === 0}
              onClick={() => view.toHit(1)}
            />
          </>
        ) : null}
      </div>
      <ul className={styles.legend} aria-label="Kinds of spans">
        {KINDS.map((kind) => (
          <li key={kind} className={styles.kind}>
            <KindGlyph kind={kind} />
            {kind}
          </li>
        ))}
      </ul>
      <div className={styles.switches}>
        {isWhole(view.zoom, view.whole) || rows.length === 0 ? null : (
          <Button size="small" kbd="0" onClick={() => view.setZoom(view.whole)}>
            Whole trace
          </Button>
        )}
        <Switch label="Critical path" checked={view.path !== null} onCheckedChange={view.setShowsPath} />
        <Switch label="Fold alike" checked={view.folds} onCheckedChange={view.setFolds} />
      </div>
    </div>
  )
}
