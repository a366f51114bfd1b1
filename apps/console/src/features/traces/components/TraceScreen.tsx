import { ApiError } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useMedia } from '../../../lib/use-media.ts'
import {
  ButtonLink,
  EmptyState,
  ErrorState,
  Notice,
  PageHeader,
  SearchIcon,
  SkeletonRows,
  useIsLeaving,
} from '../../../ui/index.ts'
import { traceProfilesQuery } from '../../profiles/links/index.ts'
import { readTrace, rootsOf, nameOf, type TraceModel } from '../model/trace.ts'
import type { TraceSearch } from '../model/trace-search.ts'
import { traceQuery } from '../queries.ts'
import { useTraceKeys } from '../trace-keys.ts'
import { useTraceView } from '../trace-view.ts'
import { DetailsPane } from './DetailsPane.tsx'
import { KeyHints } from './KeyHints.tsx'
import { TraceHeader } from './TraceHeader.tsx'
import { TraceToolbar } from './TraceToolbar.tsx'
import { Waterfall } from './Waterfall.tsx'
import styles from './TraceScreen.module.css'

/** Below this, the details are a sheet over the rows. */
const NARROW = '(max-width: 1000px)'

export function TraceScreen() {
  const { org, trace } = useParams({ from: '/signed-in/organizations/$org/traces/$trace' })
  const { data, error, refetch } = useQuery(traceQuery(org, trace))
  // Asked for beside it, so that the details of a span know from the beginning whether they have a line for its profile.
  useQuery(traceProfilesQuery(org, trace))
  const model = useMemo(() => (data === undefined ? undefined : readTrace(data)), [data])
  if (model === undefined || model.count + model.errors.length + model.logs.length === 0) {
    const isMissing = model !== undefined || (error instanceof ApiError && error.status === 404)
    return (
      <>
        <PageHeader title={`Trace ${trace.slice(0, 8)}`} />
        {isMissing ? (
          <NothingRecorded org={org} trace={trace} />
        ) : error === null ? (
          <SkeletonRows rows={24} label="Loading the trace" />
        ) : (
          <ErrorState title="The trace could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
        )}
      </>
    )
  }
  return <Trace key={trace} org={org} trace={trace} model={model} />
}

function NothingRecorded({ org, trace }: { readonly org: string; readonly trace: string }) {
  usePageTitle('Trace')
  return (
    <EmptyState
      icon={SearchIcon}
      title="Nothing is known of this trace"
      action={
        <ButtonLink to="/organizations/$org/performance" params={{ org }}>
          To performance
        </ButtonLink>
      }
    >
      <p>
        No span, no error and no log line with the trace <code>{trace.slice(0, 64)}</code> is stored. It may not have
        been sampled, not have arrived yet, or be older than what is kept.
      </p>
    </EmptyState>
  )
}

/** What the trace is called: its first root, or what went wrong in it. */
function titleOf(model: TraceModel): string {
  const first = rootsOf(model)[0]
  return first === undefined ? (model.errors[0]?.title ?? model.logs[0]?.body ?? 'Trace') : nameOf(model, first)
}

function Trace({ org, trace, model }: { readonly org: string; readonly trace: string; readonly model: TraceModel }) {
  const search = useSearch({ from: '/signed-in/organizations/$org/traces/$trace' })
  const navigate = useNavigate()
  const isLeaving = useIsLeaving()
  const write = (next: TraceSearch): void => {
    if (isLeaving()) return
    void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: next, replace: true })
  }
  const view = useTraceView(model, search, write)
  const field = useRef<HTMLInputElement>(null)
  const pane = useRef<HTMLElement>(null)
  const isNarrow = useMedia(NARROW)
  const [isOpen, setOpen] = useState(false)
  const title = titleOf(model)
  usePageTitle(title)
  const openDetails = (open: boolean): void => {
    setOpen(open)
    // The pane is there already; Enter goes into it.
    if (open) requestAnimationFrame(() => pane.current?.focus())
  }
  useTraceKeys(view, field, openDetails)
  return (
    <div data-whole-window className={styles.screen}>
      <TraceHeader org={org} trace={trace} title={title} model={model} />
      <TraceToolbar view={view} field={field} />
      {model.truncated ? (
        <div className={styles.notice}>
          <Notice tone="warning">
            This trace has more spans than can be shown: the first {model.count.toLocaleString('en-US')} are here. Times
            and sums are about these.
          </Notice>
        </div>
      ) : null}
      <div className={styles.panes}>
        <Waterfall org={org} trace={trace} view={view} onOpen={() => isNarrow && setOpen(true)} />
        {!isNarrow || isOpen ? (
          <DetailsPane
            ref={pane}
            org={org}
            trace={trace}
            view={view}
            onClose={isNarrow ? () => setOpen(false) : undefined}
          />
        ) : null}
      </div>
      <KeyHints view={view} />
    </div>
  )
}
