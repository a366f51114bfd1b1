import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'

import {
  Badge,
  EmptyState,
  LevelDot,
  Link,
  Loaded,
  Num,
  Panel,
  PlainTabs,
  RelativeTime,
  ShowMore,
  SkeletonRows,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  useRowKeys,
  VisibleText,
} from '../../../ui/index.ts'
import { badgeOf, titleParts } from '../../issues/model/index.ts'
import type { IssueInRelease } from '../model/in-release.ts'
import { type Happened } from '../model/releases-search.ts'
import type { HappenedCounts } from '../model/words.ts'
import { releaseIssuesQuery } from '../queries.ts'
import styles from './ReleaseIssues.module.css'

const TABS = [
  { value: 'new', label: 'New' },
  { value: 'regressed', label: 'Came back' },
  { value: 'resolved', label: 'Resolved' },
] as const

const NONE: Readonly<Record<Happened, string>> = {
  new: 'No issue began in this release.',
  regressed: 'Nothing that was resolved came back in it.',
  resolved: 'No issue is resolved in this release. Resolving one offers the release in which it ends.',
}

interface ReleaseIssuesProps {
  readonly org: string
  readonly version: string
  readonly counts: HappenedCounts
  readonly shown: Happened
  readonly onShow: (shown: Happened) => void
}

/** The issues that began in it, came back in it, or are resolved in it. */
export function ReleaseIssues({ org, version, counts, shown, onShow }: ReleaseIssuesProps) {
  const query = useInfiniteQuery(releaseIssuesQuery(org, version, shown))
  return (
    <Panel content="rows">
      <PlainTabs
        aria-label="What happened to them"
        value={shown}
        onValueChange={onShow}
        tabs={TABS.map((tab) => ({ ...tab, count: counts[tab.value] ?? undefined }))}
      >
        <Loaded
          compact
          query={{ ...query, data: query.data?.pages.flatMap(({ data }) => data) }}
          outline={<SkeletonRows rows={4} label="Loading its issues" />}
          failed="Its issues could not be loaded"
        >
          {(issues) =>
            issues.length === 0 ? (
              <EmptyState compact title="None">
                {NONE[shown]}
              </EmptyState>
            ) : (
              <>
                <IssueTable key={shown} org={org} issues={issues} />
                <ShowMore query={query} />
              </>
            )
          }
        </Loaded>
      </PlainTabs>
    </Panel>
  )
}

function IssueTable({ org, issues }: { readonly org: string; readonly issues: readonly IssueInRelease[] }) {
  const navigate = useNavigate()
  const { body, rowProps } = useRowKeys({
    group: 'Release',
    thing: 'issue',
    count: issues.length,
    open: (index) => {
      const issue = issues[index]?.issue.id
      if (issue !== undefined) void navigate({ to: '/organizations/$org/issues/$issue', params: { org, issue } })
    },
  })
  return (
    <Table caption="Issues of this release" stacksBelow={620} className={styles.table}>
      <Thead>
        <Th>Issue</Th>
        <Th>State</Th>
        <Th numeric>Events in it</Th>
        <Th numeric>Users in it</Th>
        <Th numeric>Last in it</Th>
      </Thead>
      <Tbody ref={body}>
        {issues.map((one, index) => (
          <Row key={one.issue.id} org={org} shown={one} {...rowProps(index)} />
        ))}
      </Tbody>
    </Table>
  )
}

function Row({
  org,
  shown: { events, issue, lastSeen, users },
  ...row
}: {
  readonly org: string
  readonly shown: IssueInRelease
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  const { lead, rest } = titleParts(issue)
  const badge = badgeOf(issue)
  return (
    <Tr {...row}>
      <Td className={styles.issue}>
        <span className={styles.line}>
          <LevelDot level={issue.level} />
          <Link
            look="quiet"
            className={styles.title}
            to="/organizations/$org/issues/$issue"
            params={{ org, issue: issue.id }}
          >
            <strong>
              <VisibleText text={lead} />
            </strong>{' '}
            <VisibleText text={rest} />
          </Link>
        </span>
      </Td>
      <Td>{badge === null ? null : <Badge tone={badge.tone}>{badge.label}</Badge>}</Td>
      <Td numeric>
        <Num value={events} compact />
        <span className={styles.words}> {events === 1 ? 'event' : 'events'}</span>
      </Td>
      <Td numeric className={users === 0 ? styles.none : undefined}>
        <Num value={users === 0 ? null : users} compact />
        <span className={styles.words}> {users === 1 ? 'user' : 'users'}</span>
      </Td>
      <Td numeric quiet className={lastSeen === null ? styles.none : undefined}>
        {lastSeen === null ? '–' : <RelativeTime form="age" time={lastSeen} />}
      </Td>
    </Tr>
  )
}
