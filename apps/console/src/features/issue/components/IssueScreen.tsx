import { ApiError, type IssueDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import {
  ButtonLink,
  EmptyState,
  IssuesIcon,
  lazyPart,
  LinkTab,
  LinkTabs,
  Num,
  Skeleton,
  SkeletonRows,
} from '../../../ui/index.ts'
import { IssueAlerts } from '../../alerts/links/index.ts'
import { DeleteIssuesDialog } from '../../issues/index.ts'
import { compactUrl, fromUrl, timeOf } from '../../issues/model/index.ts'
import { IssueReplays } from '../../replays/links/index.ts'
import { copyForAgent, copyLink } from '../copy.ts'
import { useIssueCommands } from '../issue-commands.ts'
import { useIssueKeys } from '../issue-keys.ts'
import { type IssueProps, type IssueWork, pageOf, useIssueChanges, useIssueWork } from '../issue-work.ts'
import { readIssueUrl } from '../model/page-search.ts'
import { type IssueScope, issueQuery } from '../queries.ts'
import { EventsTab } from './EventsTab.tsx'
import { EventView, isUnreadable } from './EventView.tsx'
import { IssueGraph } from './IssueGraph.tsx'
import { IssueHeader } from './IssueHeader.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { IssueOutline } from './Outlines.tsx'
import { ActivityPart, Affected, Part, WhyGrouped } from './SideColumn.tsx'
import { SimilarIssues } from './SimilarIssues.tsx'
import { SuspectCommits } from './SuspectCommits.tsx'
import styles from './IssueScreen.module.css'

/** Where the column beside the event begins, which is far below it on a narrow screen. */
const ABOUT = 'about-the-issue'

export function IssueScreen() {
  const { org = '', issue = '' } = useParams({ strict: false })
  const raw = useSearch({ strict: false })
  const url = readIssueUrl(raw)
  const search = fromUrl(url)
  const scope: IssueScope = { org, issue, time: timeOf(search), environment: search.environment }
  const { data, error, refetch } = useQuery(issueQuery(scope))
  usePageTitle(
    data !== undefined ? `${data.shortId} ${plainVisible(data.title)}` : isMissing(error) ? 'Issue not found' : 'Issue',
  )
  if (data !== undefined) return <Issue key={issue} scope={scope} issue={data} url={url} />
  if (error === null) return <IssueOutline />
  // The frame's page for a server that is away opens by itself once it is back.
  if (!(error instanceof ApiError)) throw error
  const back = (
    <ButtonLink to="/organizations/$org/issues" params={{ org }} search={compactUrl(search)}>
      Back to issues
    </ButtonLink>
  )
  if (isMissing(error)) {
    return (
      <EmptyState page icon={IssuesIcon} title="Issue not found" action={back}>
        It was deleted, merged into another one, or belongs to another organisation.
      </EmptyState>
    )
  }
  return (
    <LoadFailed page title="The issue could not be loaded" error={error} action={back} onRetry={() => void refetch()} />
  )
}

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

function Issue(props: IssueProps) {
  const work = useIssueWork(props)
  const changes = useIssueChanges(work)
  useIssueKeys(work, changes)
  useIssueCommands(work, changes)
  const { issue, scope } = work
  return (
    <div className={styles.screen}>
      <IssueHeader
        org={work.org}
        issue={issue}
        stream={compactUrl(work.search)}
        place={work.place}
        regressedIn={regressedIn(issue)}
        mayWrite={work.mayWrite}
        mayDelete={work.mayDelete}
        busy={changes.busy}
        assigning={work.assigning}
        onAssigning={work.setAssigning}
        onStatus={changes.setStatus}
        onAssign={changes.assign}
        onPriority={changes.setPriority}
        onCopy={() => copyForAgent(work)}
        onShare={() => copyLink(work)}
        onBookmark={changes.bookmark}
        onSubscribe={changes.subscribe}
        onMerge={() => work.setMerging(true)}
        onDelete={() => work.setDeleting(true)}
        onMove={work.openIssue}
      />
      <div className={styles.columns}>
        <Events work={work} />
        <aside id={ABOUT} className={styles.side} aria-label="About the issue">
          <Affected
            scope={scope}
            events={Number(issue.count)}
            isUnreadable={isUnreadable(work)}
            onFilter={work.filter}
          />
          <div className={styles.beside}>
            <Part title="Tickets">
              <Tickets
                org={scope.org}
                subject={{ kind: 'issue', id: issue.id }}
                name={issue.shortId}
                fallback={<Skeleton height={30} />}
              />
            </Part>
            <SuspectCommits org={scope.org} project={issue.project.slug} event={work.api?.eventID ?? null} />
            <WhyGrouped
              scope={scope}
              project={issue.project.slug}
              event={work.api?.eventID ?? null}
              isMissing={work.eventError !== null}
            />
            <SimilarIssues org={scope.org} issue={issue} />
            <IssueAlerts org={work.org} issue={issue.id} />
            <ActivityPart scope={scope} issue={issue} />
          </div>
        </aside>
      </div>
      <Dialogs work={work} changes={changes} />
    </div>
  )
}

/** The graph, and below it one event or the list of all. */
function Events({ work }: { readonly work: IssueWork }) {
  const { issue, scope, url } = work
  return (
    <div className={styles.main}>
      <IssueGraph scope={scope} issue={issue} isUnreadable={isUnreadable(work)} onPick={work.showEventBetween} />
      <ViewTabs work={work} />
      {url.tab === 'events' ? (
        <EventsTab
          scope={scope}
          issueTitle={issue.title}
          project={issue.project.id}
          url={url}
          onSearch={(events) => work.show({ tab: 'events', events: events === '' ? undefined : events })}
        />
      ) : url.tab === 'people' ? (
        <WhatPeopleSaid
          org={work.org}
          issue={issue}
          onEditTelling={() => work.setEditsTelling(true)}
          fallback={<SkeletonRows rows={6} />}
        />
      ) : (
        <EventView work={work} />
      )}
    </div>
  )
}

// Most issues have nobody who wrote; what shows it is fetched for those that do.
const WhatPeopleSaid = lazyPart(async () => (await import('../../people/said/index.ts')).WhatPeopleSaid)
const Tickets = lazyPart(async () => (await import('../../trackers/tickets/index.ts')).Tickets)
const ResolveDialog = lazyPart(async () => (await import('../../people/resolve/index.ts')).ResolveDialog)

function ViewTabs({ work: { issue, org, scope, search, url } }: { readonly work: IssueWork }) {
  return (
    <div className={styles.tabs}>
      <LinkTabs aria-label="Views of the issue" current={url.tab ?? ''}>
        <LinkTab
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: scope.issue }}
          search={{ ...compactUrl(search), ...(url.event === undefined ? {} : { event: url.event }) }}
          isCurrent={url.tab === undefined}
          resetScroll={false}
        >
          Event
        </LinkTab>
        <LinkTab
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: scope.issue }}
          search={{ ...compactUrl(search), ...pageOf(url), tab: 'events' }}
          isCurrent={url.tab === 'events'}
          count={<Num value={Number(issue.count)} compact />}
          resetScroll={false}
        >
          All events
        </LinkTab>
        <LinkTab
          to="/organizations/$org/issues/$issue"
          params={{ org, issue: scope.issue }}
          search={{ ...compactUrl(search), ...pageOf(url), tab: 'people' }}
          isCurrent={url.tab === 'people'}
          count={issue.reporterCount === 0 ? undefined : <Num value={issue.reporterCount} compact />}
          resetScroll={false}
        >
          What people said
        </LinkTab>
        <IssueReplays org={org} issue={issue} />
        <a href={`#${ABOUT}`} className={styles.jump}>
          Who and why
        </a>
      </LinkTabs>
    </div>
  )
}

function Dialogs({
  work,
  changes,
}: {
  readonly work: IssueWork
  readonly changes: ReturnType<typeof useIssueChanges>
}) {
  const { issue } = work
  return (
    <>
      <MergeDialog
        org={work.org}
        issue={issue}
        open={work.merging}
        onOpenChange={work.setMerging}
        onMerged={(parent) => {
          if (parent !== issue.id) work.openIssue(parent)
        }}
      />
      {work.resolving === null && !work.editsTelling ? null : (
        <ResolveDialog
          key={work.editsTelling ? 'edit' : 'resolve'}
          org={work.org}
          issue={issue}
          choice={work.resolving}
          onResolve={changes.resolve}
          onClose={() => {
            work.setResolving(null)
            work.setEditsTelling(false)
          }}
        />
      )}
      <DeleteIssuesDialog
        open={work.deleting}
        onOpenChange={work.setDeleting}
        what={issue.shortId}
        scope="one"
        busy={changes.busy}
        onConfirm={() => {
          work.setDeleting(false)
          changes.remove()
          work.toStream()
        }}
      />
    </>
  )
}

function regressedIn(issue: IssueDetail): string {
  const regression = issue.activity.find((activity) => activity.type === 'set_regression')
  const version = regression?.data.version ?? regression?.data.release
  return typeof version === 'string' ? version : ''
}
