import type { Profile } from '@firsthand/contract'
import { type ReactNode, useMemo, useRef, useState } from 'react'

import { formatSpent } from '../../../lib/spent-time.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { CloseIcon, EmptyState, IconButton, Kbd, Notice, SearchIcon } from '../../../ui/index.ts'
import { useFlameKeys } from '../flame-keys.ts'
import { useFlameView } from '../flame-view.ts'
import type { Order } from '../model/call-tree.ts'
import { readProfile } from '../model/profile.ts'
import { FlameGraph } from './FlameGraph.tsx'
import { FlameToolbar } from './FlameToolbar.tsx'
import { FunctionDetails } from './FunctionDetails.tsx'
import { FunctionTable } from './FunctionTable.tsx'
import styles from './FlameScreen.module.css'

/** Below this, the details are a sheet over the graph. */
const NARROW = '(max-width: 1000px)'

const HINTS: readonly (readonly [readonly string[], string])[] = [
  [['w', 's'], 'zoom'],
  [['a', 'd'], 'pan'],
  [['h', 'j', 'k', 'l'], 'beside, callee, caller'],
  [['f'], 'fit'],
  [['/'], 'search'],
  [['?'], 'all keys'],
]

/** A flame graph with everything around it: what is chosen above it stands in `header` and `choices`. */
export function FlameScreen({
  profile,
  header,
  choices,
  order,
  showsWaiting,
}: {
  readonly profile: Profile
  readonly header: ReactNode
  readonly choices: ReactNode
  readonly order: Order
  readonly showsWaiting: boolean
}) {
  const model = useMemo(() => readProfile(profile), [profile])
  const [query, setQuery] = useState('')
  const view = useFlameView(model, { order, showsWaiting, query, onQuery: setQuery })
  const field = useRef<HTMLInputElement>(null)
  const isNarrow = useMedia(NARROW)
  const [isOpen, setOpen] = useState(false)
  useFlameKeys(view, field)
  return (
    <div data-whole-window className={styles.screen}>
      {header}
      <FlameToolbar view={view} field={field}>
        {choices}
      </FlameToolbar>
      {profile.truncated ? (
        <div className={styles.notice}>
          <Notice tone="warning">
            There is more than one graph can show; the times are those of what is shown. Narrow the time, or take one
            profile.
          </Notice>
        </div>
      ) : null}
      <div className={styles.panes}>
        <div className={styles.main}>
          {model.ran === 0 ? (
            <EmptyState
              icon={SearchIcon}
              title={
                model.waited === 0
                  ? 'Nothing ran in this time'
                  : `Nothing ran in these ${formatSpent(model.waited / 1000)}`
              }
            >
              {model.waited === 0 ? 'No sample of this thread lies in it.' : 'The thread only waited.'}
            </EmptyState>
          ) : (
            <>
              <FlameGraph view={view} onOpen={() => isNarrow && setOpen(true)} />
              <div className={styles.table}>
                <FunctionTable view={view} />
              </div>
            </>
          )}
        </div>
        {!isNarrow || isOpen ? (
          <aside aria-label="Details" tabIndex={-1} className={styles.pane} data-sheet={isNarrow ? '' : undefined}>
            {isNarrow ? (
              <span className={styles.close}>
                <IconButton icon={CloseIcon} label="Close the details" onClick={() => setOpen(false)} />
              </span>
            ) : null}
            <FunctionDetails profile={profile} view={view} />
          </aside>
        ) : null}
      </div>
      <footer data-key-bar className={styles.foot}>
        <ul className={styles.hints}>
          {HINTS.map(([keys, what]) => (
            <li key={what} className={styles.hint}>
              {keys.map((key) => (
                <Kbd key={key} keys={key} />
              ))}
              {what}
            </li>
          ))}
        </ul>
        <span className={styles.sums}>
          {view.functions.bySelf.length} {view.functions.bySelf.length === 1 ? 'function' : 'functions'} ·{' '}
          {model.samples.toLocaleString('en-US')} samples
        </span>
      </footer>
    </div>
  )
}
