import type { Release, ReleaseHealth } from '@firsthand/contract'
import { useNavigate } from '@tanstack/react-router'
import { cx } from '../../../lib/cx.ts'
import {
  Badge,
  Num,
  RelativeTime,
  Table,
  Tbody,
  Td,
  Th,
  Thead,
  Tr,
  useRowKeys,
  VisibleText,
} from '../../../ui/index.ts'
import { HealthCells, HealthFailed, HealthHeads, useHealthOf } from '../health/index.ts'
import { ReleaseLink } from '../links/index.ts'
import styles from './ReleaseTable.module.css'

interface ReleaseTableProps {
  readonly org: string
  readonly releases: readonly Release[]
  /** Projects that the list is of; none for all. */
  readonly project: readonly string[]
}

/** What went out, and what it did. */
export function ReleaseTable({ org, project, releases }: ReleaseTableProps) {
  const health = useHealthOf(
    org,
    releases.map(({ version }) => version),
    project,
  )
  const navigate = useNavigate()
  const { body, rowProps } = useRowKeys({
    group: 'Releases',
    thing: 'release',
    count: releases.length,
    open: (index) => {
      const version = releases[index]?.version
      if (version !== undefined) {
        void navigate({ to: '/organizations/$org/releases/$version', params: { org, version } })
      }
    },
  })
  return (
    <>
      <HealthFailed health={health} />
      <Table caption="Releases" stacksBelow={760} className={styles.table}>
        <Thead>
          <Th>Release</Th>
          <Th>Projects</Th>
          <Th>Released or first seen</Th>
          <Th>Runs in</Th>
          <HealthHeads />
          <Th numeric>New issues</Th>
          <Th numeric>Came back</Th>
          <Th numeric>Commits</Th>
        </Thead>
        <Tbody ref={body}>
          {releases.map((release, index) => (
            <Row
              key={release.id}
              org={org}
              release={release}
              health={health.of(release.version)}
              hasFailed={health.error !== null}
              {...rowProps(index)}
            />
          ))}
        </Tbody>
      </Table>
    </>
  )
}

function Row({
  org,
  release,
  health,
  hasFailed,
  ...row
}: {
  readonly org: string
  readonly release: Release
  readonly health: ReleaseHealth | null | undefined
  readonly hasFailed: boolean
  readonly selected: boolean
  readonly onPointerDown: () => void
}) {
  const { projects, version } = release
  return (
    <Tr {...row} className={styles.row}>
      <Td className={styles.name}>
        <span className={styles.version}>
          <ReleaseLink org={org} version={version} />
          {release.status === 'archived' ? <Badge>Archived</Badge> : null}
        </span>
        {release.shortVersion === version ? null : (
          <span className={styles.whole}>
            <VisibleText text={version} />
          </span>
        )}
      </Td>
      <Td quiet>{projects.map(({ name }) => name).join(', ')}</Td>
      <Td quiet>
        <RelativeTime time={release.dateReleased ?? release.dateCreated} />
      </Td>
      <RunsIn release={release} />
      <HealthCells health={health} hasFailed={hasFailed} />
      <Count value={release.newGroups} words={release.newGroups === 1 ? 'new issue' : 'new issues'} />
      <Count value={release.regressedGroups} words="came back" isBad />
      <Count value={release.commitCount} words={release.commitCount === 1 ? 'commit' : 'commits'} />
    </Tr>
  )
}

/** More environments than this are counted: a row stays a row. */
const ENVIRONMENTS = 4

/** Each environment whose newest deploy is of this release. */
function RunsIn({ release: { currentDeploys, lastDeploy } }: { readonly release: Release }) {
  if (currentDeploys.length === 0) {
    return (
      <Td quiet className={styles.none}>
        {lastDeploy === null ? 'no deploy known' : 'nowhere any more'}
      </Td>
    )
  }
  const more = currentDeploys.length - ENVIRONMENTS
  return (
    <Td quiet>
      {currentDeploys.slice(0, ENVIRONMENTS).map(({ dateFinished, environment, id }) => (
        <span key={id} className={styles.deploy}>
          <VisibleText text={environment} /> since <RelativeTime form="age" time={dateFinished} />
        </span>
      ))}
      {more > 0 ? <span className={styles.deploy}>and {more} more</span> : null}
    </Td>
  )
}

/** A number of a column; where rows are blocks of their own, it says what it counts, and nothing is left out. */
function Count({
  value,
  words,
  isBad = false,
}: {
  readonly value: number
  readonly words: string
  readonly isBad?: boolean
}) {
  return (
    <Td numeric className={cx(styles.count, value === 0 && styles.zero, isBad && value > 0 && styles.bad)}>
      <Num value={value} compact />
      <span className={styles.words}> {words}</span>
    </Td>
  )
}
