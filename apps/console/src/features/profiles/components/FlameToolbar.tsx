import { FRAME_KINDS } from '@firsthand/contract'
import type { ReactNode, RefObject } from 'react'

import { formatCount } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import {
  Button,
  ChevronDownIcon,
  ChevronUpIcon,
  IconButton,
  Input,
  SearchIcon,
  VisuallyHidden,
} from '../../../ui/index.ts'
import { isWhole } from '../../traces/model/index.ts'
import type { FlameView } from '../flame-view.ts'
import styles from './FlameToolbar.module.css'

const KINDS: readonly (readonly [number, string])[] = [
  [FRAME_KINDS.own, 'own code'],
  [FRAME_KINDS.library, 'library'],
  [FRAME_KINDS.runtime, 'runtime'],
]

/** How the graph is laid out, the search, what the colours mean. */
export function FlameToolbar({
  view,
  field,
  children,
}: {
  readonly view: FlameView
  readonly field: RefObject<HTMLInputElement | null>
  /** What can be chosen, before the search. */
  readonly children?: ReactNode
}) {
  const { hits, query } = view
  const isSearching = hits.isHit !== null
  return (
    <div className={styles.bar}>
      {children}
      <div className={styles.search} role="search">
        <Input
          ref={field}
          icon={SearchIcon}
          aria-label="Search functions"
          placeholder="Function or file"
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
                {hits.functions === 0 ? 'none' : `${formatCount(hits.functions)} · ${Math.round(hits.share * 100)}%`}
                <VisuallyHidden>
                  {hits.functions === 1 ? ' function' : ' functions'}, of {formatSpent(view.model.ran / 1000)}
                </VisuallyHidden>
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
              disabled={hits.boxes.length === 0}
              onClick={() => view.toHit(-1)}
            />
            <IconButton
              icon={ChevronDownIcon}
              label="Next hit"
              kbd="n"
              disabled={hits.boxes.length === 0}
              onClick={() => view.toHit(1)}
            />
          </>
        ) : null}
      </div>
      {isWhole(view.zoom, view.whole) ? null : (
        <Button size="small" kbd="0" onClick={() => view.setZoom(view.whole)}>
          All of it
        </Button>
      )}
      <ul className={styles.legend} aria-label="Colours">
        {KINDS.map(([kind, name]) => (
          <li key={kind} className={styles.kind}>
            <span className={styles.swatch} data-kind={kind} />
            {name}
          </li>
        ))}
        <li className={styles.kind}>
          <span className={styles.foot} />
          self time
        </li>
      </ul>
    </div>
  )
}
