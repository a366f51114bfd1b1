import type { IssueDetail } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../lib/api.ts'
import { useAccess } from '../../lib/shared-queries.ts'
import { toast } from '../../ui/index.ts'
import {
  rememberRow,
  type StatusChoice,
  streamQuery,
  type ToldOfChange,
  useIssueActions,
  useIssueMarks,
} from '../issues/index.ts'
import { compactUrl, fromUrl, issueKeys, uniqueIssues } from '../issues/model/index.ts'
import { addFilter } from '../search/model/index.ts'
import { type IssueUrl, placeInStream } from './model/page-search.ts'
import { readEvent } from './model/read-event.ts'
import { traceOf } from './model/trace-of.ts'
import { type IssueScope, findEventBetween, issueEventQuery } from './queries.ts'

export interface IssueProps {
  readonly scope: IssueScope
  readonly issue: IssueDetail
  readonly url: IssueUrl
}

export type IssueWork = ReturnType<typeof useIssueWork>

/** The issue and its event on screen, where one can go from here, and which dialog is open. */
export function useIssueWork({ scope, issue, url }: IssueProps) {
  const { org } = scope
  const navigate = useNavigate()
  const may = useAccess(org)
  const search = useMemo(() => fromUrl(url), [url])
  const [assigning, setAssigning] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const [merging, setMerging] = useState(false)
  const [resolving, setResolving] = useState<StatusChoice | null>(null)
  const [editsTelling, setEditsTelling] = useState(false)
  const { place, loadMore } = usePlace(org, search, issue.id)
  const eventResult = useQuery(issueEventQuery(scope, url.event ?? 'latest'))
  const api = eventResult.data
  const event = useMemo(() => (api === undefined ? null : readEvent(api)), [api])

  useSeen(scope, issue)
  useEffect(() => rememberRow(issue.id), [issue.id])

  const show = (change: Partial<Record<keyof IssueUrl, string | undefined>>) =>
    void navigate({
      to: '/organizations/$org/issues/$issue',
      params: { org, issue: scope.issue },
      search: { ...compactUrl(search), ...pageOf(url), ...change } as IssueUrl,
      resetScroll: false,
    })
  const showEvent = (id: string) => show({ event: id === 'latest' ? undefined : id })
  return {
    org,
    scope,
    issue,
    url,
    search,
    place,
    /** The event as the API has it, and as the panels read it; null while it is not there. */
    api: api ?? null,
    event,
    eventError: eventResult.error,
    retryEvent: () => void eventResult.refetch(),
    mayWrite: may('event:write'),
    mayDelete: may('event:admin'),
    assigning,
    setAssigning,
    deleting,
    setDeleting,
    merging,
    setMerging,
    /** What was chosen, while it is asked who is told of it. */
    resolving,
    setResolving,
    /** Whether what waits to be told is being changed. */
    editsTelling,
    setEditsTelling,
    show,
    showEvent,
    toTrace: () => {
      const found = event === null ? null : traceOf(event)
      if (found === null) return
      const { trace, search: shown } = found
      void navigate({ to: '/organizations/$org/traces/$trace', params: { org, trace }, search: shown })
    },
    showEventBetween: (start: number, end: number) => {
      void findEventBetween(scope, start, end).then(
        (found) => found !== null && showEvent(found),
        (error: unknown) =>
          toast({ title: 'No event found there', description: describeError(error).detail, tone: 'error' }),
      )
    },
    openIssue: (id: string | null) => {
      if (id === null) return
      if (id === place.next) loadMore()
      void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue: id }, search: compactUrl(search) })
    },
    toStream: () => void navigate({ to: '/organizations/$org/issues', params: { org }, search: compactUrl(search) }),
    filter: (key: string, value: string) =>
      void navigate({
        to: '/organizations/$org/issues',
        params: { org },
        search: compactUrl({ ...search, query: addFilter(search.query, key, value) }),
      }),
  }
}

/** What can be done with the issue. The page itself changes at once; the list it came from follows. */
export function useIssueChanges({ org, scope, issue, mayWrite, setResolving, setEditsTelling }: IssueWork) {
  const client = useQueryClient()
  const actions = useIssueActions(org, [issue])
  const mark = useIssueMarks(org)
  const target = { ids: [issue.id] }
  const detail = [...issueKeys.page(org, scope.issue), 'detail']
  const setStatus = ({ change, done }: StatusChoice, told?: ToldOfChange): void => {
    if (!mayWrite || actions.busy) return
    const { status } = change
    if (status === 'resolved' || status === 'ignored' || status === 'unresolved') {
      client.setQueryData<IssueDetail>(detail, (current) =>
        current === undefined
          ? current
          : { ...current, status, substatus: change.substatus ?? null, statusDetails: {} },
      )
    }
    void actions.change(target, change, done, told).then((isDone) => {
      if (!isDone) client.setQueryData<IssueDetail>(detail, issue)
    })
  }
  return {
    busy: actions.busy,
    /** Before people are told of it, it is asked who, when and what. */
    setStatus: (choice: StatusChoice) => {
      if (mayWrite && choice.change.status === 'resolved' && issue.reporterCount > 0) setResolving(choice)
      else setStatus(choice)
    },
    resolve: (choice: StatusChoice, description: string) => {
      setResolving(null)
      setStatus(choice, { description, other: { label: 'Edit', run: () => setEditsTelling(true) } })
    },
    assign: (assignedTo: string, name: string | null) =>
      void actions.change(target, { assignedTo }, name === null ? 'unassigned' : `assigned to ${name}`),
    setPriority: (priority: 'high' | 'medium' | 'low' | null) =>
      void actions.change(
        target,
        { priority },
        priority === null ? 'has the priority that its points say' : `has ${priority} priority`,
      ),
    bookmark: () => {
      if (mayWrite) mark([issue.id], { isBookmarked: !issue.isBookmarked })
    },
    subscribe: () => {
      if (mayWrite) mark([issue.id], { isSubscribed: !issue.isSubscribed })
    },
    remove: () => void actions.remove(target),
  }
}

/** The part of the URL that says what is shown of the issue. */
export function pageOf(url: IssueUrl): Pick<IssueUrl, 'event' | 'tab' | 'events'> {
  return {
    ...(url.event === undefined ? {} : { event: url.event }),
    ...(url.tab === undefined ? {} : { tab: url.tab }),
    ...(url.events === undefined ? {} : { events: url.events }),
  }
}

/** The place in the stream one came from; it keeps its order while one reads, also when the issue leaves it. */
function usePlace(org: string, search: ReturnType<typeof fromUrl>, issue: string) {
  const query = useInfiniteQuery({ ...streamQuery(org, search), refetchOnMount: false })
  const order = useMemo(
    () => uniqueIssues(query.data?.pages.map((page) => page.data) ?? []).map((row) => row.id),
    [query.data],
  )
  const [left, setLeft] = useState<number | null>(null)
  const index = order.indexOf(issue)
  if (index !== -1 && left !== index) setLeft(index)
  const total = query.data?.pages[0]?.hits ?? order.length
  return {
    place: placeInStream(order, total, issue, left),
    loadMore: () => {
      if (query.hasNextPage && index >= order.length - 2) void query.fetchNextPage()
    },
  }
}

/** Notes that somebody looked, once; nobody needs to hear of a failure. */
function useSeen(scope: IssueScope, issue: IssueDetail): void {
  const may = useAccess(scope.org)
  const mayWrite = may('event:write')
  const mark = useIssueMarks(scope.org)
  const asks = mayWrite && !issue.hasSeen
  const latest = useRef(mark)
  useEffect(() => {
    latest.current = mark
  })
  useEffect(() => {
    if (asks) latest.current([issue.id], { hasSeen: true })
  }, [issue.id, asks])
}
