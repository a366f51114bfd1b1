import { ApiError, type IssueDetail } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import {
  AlertDialog,
  ButtonLink,
  EmptyState,
  ErrorState,
  IssuesIcon,
  Link,
  Num,
  Panel,
  Skeleton,
  SkeletonRows,
  toast,
  useShortcut,
} from '../../../ui/index.ts'
import {
  ARCHIVE,
  REOPEN,
  RESOLVE,
  rememberRow,
  type StatusChoice,
  streamQuery,
  useIssueActions,
  useIssueMarks,
} from '../../issues/index.ts'
import { compactUrl, fromUrl, uniqueIssues } from '../../issues/model/index.ts'
import { plainVisible } from '../../issues/text/index.ts'
import { addFilter } from '../../search/model/index.ts'
import { agentMarkdown } from '../model/agent-markdown.ts'
import { type ReleaseMoment } from '../model/graph.ts'
import { type IssueUrl, placeInStream, readIssueUrl } from '../model/page-search.ts'
import { readEvent } from '../model/read-event.ts'
import { type IssueScope, findEventBetween, issueEventQuery, issueQuery } from '../queries.ts'
import { AttachmentsPanel } from './AttachmentsPanel.tsx'
import { BreadcrumbsPanel } from './BreadcrumbsPanel.tsx'
import { EventBar } from './EventBar.tsx'
import {
  ContextsPanel,
  ExtraPanel,
  FlagsPanel,
  MessagePanel,
  ModulesPanel,
  NotesPanel,
  ReportPanel,
  RequestPanel,
  SdkPanel,
  TagsPanel,
  ThreadsPanel,
  UserPanel,
} from './EventPanels.tsx'
import { EventsTab } from './EventsTab.tsx'
import { IssueGraph } from './IssueGraph.tsx'
import { IssueHeader } from './IssueHeader.tsx'
import { JsonDialog } from './JsonDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { ActivityPart, Affected, WhyGrouped } from './SideColumn.tsx'
import { StackTracePanel } from './StackTracePanel.tsx'
import styles from './IssueScreen.module.css'

export function IssueScreen() {
  const { org = '', issue = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = readIssueUrl(raw)
  const search = fromUrl(url)
  const scope: IssueScope = { org, issue, statsPeriod: search.statsPeriod, environment: search.environment }
  const { data, error, refetch } = useQuery(issueQuery(scope))
  if (data !== undefined) return <Issue key={issue} scope={scope} issue={data} url={url} />
  if (error === null) return <Outline />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        page
        icon={IssuesIcon}
        title="There is no such issue"
        action={
          <ButtonLink to="/organizations/$org/issues" params={{ org }} search={compactUrl(search)}>
            Back to the issues
          </ButtonLink>
        }
      >
        It was deleted, merged into another one, or belongs to another organisation.
      </EmptyState>
    )
  }
  return <ErrorState title="The issue could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />
}

interface IssueProps {
  readonly scope: IssueScope
  readonly issue: IssueDetail
  readonly url: IssueUrl
}

function Issue({ scope, issue, url }: IssueProps) {
  const { org } = scope
  const navigate = useNavigate()
  const client = useQueryClient()
  const may = useAccess(org)
  const search = useMemo(() => fromUrl(url), [url])
  const actions = useIssueActions(org, [issue])
  const [assigning, setAssigning] = useState(false)
  const mark = useIssueMarks(org)
  const [deleting, setDeleting] = useState(false)
  const [merging, setMerging] = useState(false)
  const [showsJson, setShowsJson] = useState(false)
  const { place, loadMore } = usePlace(org, search, issue.id)

  const show = (change: Partial<Record<keyof IssueUrl, string | undefined>>) =>
    void navigate({
      to: '/organizations/$org/issues/$issue',
      params: { org, issue: scope.issue },
      search: { ...compactUrl(search), ...pageOf(url), ...change } as IssueUrl,
      resetScroll: false,
    })
  const showEvent = (event: string) => show({ event: event === 'latest' ? undefined : event })
  const wanted = url.event ?? 'latest'
  const eventResult = useQuery(issueEventQuery(scope, wanted))
  const api = eventResult.data
  const event = useMemo(() => (api === undefined ? null : readEvent(api)), [api])

  useEffect(() => {
    document.title = `${issue.shortId} ${plainVisible(issue.title)} · Firsthand`
  }, [issue.shortId, issue.title])
  useSeen(scope, issue)
  useEffect(() => rememberRow(issue.id), [issue.id])

  const openIssue = (id: string | null) => {
    if (id === null) return
    if (id === place.next) loadMore()
    void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue: id }, search: compactUrl(search) })
  }
  const filter = (key: string, value: string) =>
    void navigate({
      to: '/organizations/$org/issues',
      params: { org },
      search: compactUrl({ ...search, query: addFilter(search.query, key, value) }),
    })

  /** The page itself changes at once; the list it came from follows. */
  const change = (choice: StatusChoice) => {
    if (!may('event:write') || actions.busy) return
    const { status } = choice.change
    const details = organizationKeys.issue(org, scope.issue)
    if (status === 'resolved' || status === 'ignored' || status === 'unresolved') {
      client.setQueryData<IssueDetail>([...details, 'detail'], (current) =>
        current === undefined
          ? current
          : { ...current, status, substatus: choice.change.substatus ?? null, statusDetails: {} },
      )
    }
    void actions.change({ ids: [issue.id] }, choice.change, choice.done).then((isDone) => {
      if (!isDone) client.setQueryData<IssueDetail>([...details, 'detail'], issue)
    })
  }
  const copyForAgent = () => {
    if (event === null) return
    const life = issue.lifetime ?? issue
    const text = agentMarkdown(
      {
        shortId: issue.shortId,
        title: issue.title,
        culprit: issue.culprit,
        status: issue.status,
        level: issue.level,
        priority: issue.priority,
        events: Number(life.count),
        users: life.userCount,
        firstSeen: life.firstSeen,
        lastSeen: life.lastSeen,
        firstRelease: issue.firstRelease?.version ?? '',
        lastRelease: issue.lastRelease?.version ?? '',
        link: new URL(`/organizations/${org}/issues/${issue.id}/`, location.href).href,
      },
      event,
    )
    copy(
      text,
      'Copied as Markdown',
      `${Math.ceil(text.length / 4).toLocaleString('en-US')} tokens or so, ready for a language model`,
    )
  }
  const share = () =>
    copy(
      new URL(
        `/organizations/${org}/issues/${issue.id}/${api === undefined ? '' : `?event=${api.eventID}`}`,
        location.href,
      ).href,
      'Link copied',
    )

  const bookmark = () => {
    if (may('event:write')) mark([issue.id], { isBookmarked: !issue.isBookmarked })
  }
  const subscribe = () => {
    if (may('event:write')) mark([issue.id], { isSubscribed: !issue.isSubscribed })
  }

  const group = 'Issue'
  const isOpen = issue.status === 'unresolved'
  useShortcut('j', () => openIssue(place.next), { label: 'Next issue', group })
  useShortcut('k', () => openIssue(place.previous), { label: 'Previous issue', group })
  useShortcut('e', () => change(issue.status === 'resolved' ? REOPEN : RESOLVE), {
    label: isOpen ? 'Resolve' : 'Reopen',
    group,
  })
  useShortcut('i', () => change(issue.status === 'ignored' ? REOPEN : ARCHIVE), {
    label: issue.status === 'ignored' ? 'Unarchive' : 'Archive',
    group,
  })
  useShortcut('a', () => may('event:write') && setAssigning(true), { label: 'Assign', group })
  useShortcut('[', () => api?.previousEventID != null && showEvent(api.previousEventID), {
    label: 'Older event',
    group,
  })
  useShortcut(']', () => api?.nextEventID != null && showEvent(api.nextEventID), { label: 'Newer event', group })
  useShortcut('m', () => may('event:write') && setMerging(true), { label: 'Merge with others', group })
  useShortcut('b', () => bookmark(), { label: 'Bookmark', group })
  useShortcut('s', () => subscribe(), { label: issue.isSubscribed ? 'Unsubscribe' : 'Subscribe', group })
  useShortcut('c', copyForAgent, { label: 'Copy for agent', group })
  useShortcut(
    'u',
    () => void navigate({ to: '/organizations/$org/issues', params: { org }, search: compactUrl(search) }),
    { label: 'Back to the list', group },
  )

  const failure = eventResult.error === null ? null : describeError(eventResult.error)
  return (
    <div className={styles.screen}>
      <IssueHeader
        org={org}
        issue={issue}
        stream={compactUrl(search)}
        place={place}
        regressedIn={regressedIn(issue)}
        mayWrite={may('event:write')}
        mayDelete={may('event:admin')}
        busy={actions.busy}
        assigning={assigning}
        onAssigning={setAssigning}
        onStatus={change}
        onAssign={(assignedTo, name) =>
          void actions.change({ ids: [issue.id] }, { assignedTo }, name === null ? 'unassigned' : `assigned to ${name}`)
        }
        onPriority={(priority) => void actions.change({ ids: [issue.id] }, { priority }, `has ${priority} priority`)}
        onCopy={copyForAgent}
        onShare={share}
        onBookmark={bookmark}
        onSubscribe={subscribe}
        onMerge={() => setMerging(true)}
        onDelete={() => setDeleting(true)}
        onMove={openIssue}
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <IssueGraph
            scope={scope}
            issue={issue}
            releases={releaseMoments(issue)}
            onPick={(start, end) => {
              void findEventBetween(scope, start, end).then(
                (found) => found !== null && showEvent(found),
                (error: unknown) =>
                  toast({
                    title: 'No event could be found there',
                    description: describeError(error).detail,
                    tone: 'error',
                  }),
              )
            }}
          />
          <nav aria-label="Views of the issue" className={styles.tabs}>
            <Link
              look="plain"
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: scope.issue }}
              search={{ ...compactUrl(search), ...(url.event === undefined ? {} : { event: url.event }) }}
              className={url.tab === undefined ? styles.activeTab : styles.tab}
              aria-current={url.tab === undefined ? 'page' : undefined}
              resetScroll={false}
            >
              Event
            </Link>
            <Link
              look="plain"
              to="/organizations/$org/issues/$issue"
              params={{ org, issue: scope.issue }}
              search={{ ...compactUrl(search), ...pageOf(url), tab: 'events' }}
              className={url.tab === 'events' ? styles.activeTab : styles.tab}
              aria-current={url.tab === 'events' ? 'page' : undefined}
              resetScroll={false}
            >
              All events
              <Num value={Number(issue.count)} compact className={styles.count} />
            </Link>
          </nav>
          {url.tab === 'events' ? (
            <EventsTab
              scope={scope}
              issueTitle={issue.title}
              project={issue.project.id}
              url={url}
              onSearch={(events) => show({ tab: 'events', events: events === '' ? undefined : events })}
            />
          ) : (
            <div className={styles.panels}>
              {failure === null ? null : (
                <Panel>
                  <ErrorState
                    compact
                    title={
                      eventResult.error instanceof ApiError && eventResult.error.status === 404
                        ? 'This event is not kept any more'
                        : 'The event could not be loaded'
                    }
                    {...failure}
                    onRetry={() => void eventResult.refetch()}
                  />
                </Panel>
              )}
              {event === null && failure === null ? <SkeletonRows rows={12} label="Loading the event" /> : null}
              {event === null || api === undefined ? null : (
                <>
                  <EventBar api={api} event={event} onShow={showEvent} onJson={() => setShowsJson(true)} />
                  <MessagePanel event={event} />
                  <ReportPanel event={event} />
                  <StackTracePanel key={`stack-${event.id}`} event={event} />
                  <ThreadsPanel key={`threads-${event.id}`} event={event} />
                  <BreadcrumbsPanel key={`crumbs-${event.id}`} event={event} />
                  <AttachmentsPanel key={`files-${event.id}`} org={org} project={api.projectSlug} event={api.eventID}>
                    <RequestPanel event={event} />
                    <UserPanel event={event} />
                    <TagsPanel event={event} onFilter={filter} />
                    <FlagsPanel event={event} />
                    <ContextsPanel event={event} />
                    <ExtraPanel event={event} />
                    <ModulesPanel event={event} />
                    <SdkPanel event={event} />
                    <NotesPanel event={event} />
                  </AttachmentsPanel>
                  <JsonDialog
                    org={org}
                    project={api.projectSlug}
                    event={api.eventID}
                    open={showsJson}
                    onOpenChange={setShowsJson}
                  />
                </>
              )}
            </div>
          )}
        </div>
        <aside className={styles.side} aria-label="About the issue">
          <Affected scope={scope} onFilter={filter} />
          <WhyGrouped scope={scope} project={issue.project.slug} event={api?.eventID ?? null} />
          <ActivityPart scope={scope} issue={issue} />
        </aside>
      </div>
      <MergeDialog
        org={org}
        issue={issue}
        open={merging}
        onOpenChange={setMerging}
        onMerged={(parent) => {
          if (parent !== issue.id) openIssue(parent)
        }}
      />
      <AlertDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${issue.shortId}?`}
        description="Its events are deleted as well. New events of the same kind open a new issue. For a short while this can be undone."
        confirmLabel="Delete"
        busy={actions.busy}
        onConfirm={() => {
          setDeleting(false)
          void actions.remove({ ids: [issue.id] })
          void navigate({ to: '/organizations/$org/issues', params: { org }, search: compactUrl(search) })
        }}
      />
    </div>
  )
}

function pageOf(url: IssueUrl): Pick<IssueUrl, 'event' | 'tab' | 'events'> {
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

function regressedIn(issue: IssueDetail): string {
  const regression = issue.activity.find((activity) => activity.type === 'set_regression')
  const version = regression?.data.version ?? regression?.data.release
  return typeof version === 'string' ? version : ''
}

/** Where the graph is marked: a regression's release; without one, the newest release that still has the issue. */
function releaseMoments(issue: IssueDetail): readonly ReleaseMoment[] {
  const regressions = issue.activity.flatMap((activity) => {
    const version = activity.data.version ?? activity.data.release
    return activity.type === 'set_regression' && typeof version === 'string' && version !== ''
      ? [{ version, time: Date.parse(activity.dateCreated) }]
      : []
  })
  if (regressions.length > 0) return regressions
  const { firstRelease, lastRelease } = issue
  if (lastRelease === null || lastRelease.dateCreated === null || lastRelease.version === firstRelease?.version)
    return []
  return [{ version: lastRelease.version, time: Date.parse(lastRelease.dateReleased ?? lastRelease.dateCreated) }]
}

function copy(text: string, title: string, description?: string): void {
  // Without a secure context (plain http on a LAN) the clipboard API is missing.
  const done =
    navigator.clipboard === undefined ? Promise.reject(new Error('no clipboard')) : navigator.clipboard.writeText(text)
  void done.then(
    () => toast({ title, tone: 'ok', ...(description === undefined ? {} : { description }) }),
    () =>
      toast({
        title: 'The browser did not allow copying',
        description: 'Open Firsthand over https or on localhost.',
        tone: 'error',
      }),
  )
}

function Outline() {
  return (
    <div role="status" aria-label="Loading the issue" className={styles.outline}>
      <Skeleton width={140} />
      <Skeleton width={320} height={20} />
      <Skeleton width={420} />
      <Skeleton height={60} />
      <SkeletonRows rows={8} label="Loading the event" />
    </div>
  )
}
