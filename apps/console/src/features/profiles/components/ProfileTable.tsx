import type { ProfileSummary } from '@firsthand/contract'

import { useProjectNames } from '../../../lib/shared-queries.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { Link, Num, RelativeTime, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import { nameOf } from '../model/name.ts'
import styles from './ProfileTable.module.css'

/** Profiles, each a link to its flame graph. */
export function ProfileTable({
  org,
  profiles,
}: {
  readonly org: string
  readonly profiles: readonly ProfileSummary[]
}) {
  const projects = useProjectNames(org)
  return (
    <Table caption="Profiles" stacksBelow={640}>
      <Thead>
        <Th>Profile</Th>
        <Th>Project</Th>
        <Th>Release</Th>
        <Th numeric>Samples</Th>
        <Th numeric>Took</Th>
        <Th numeric>When</Th>
      </Thead>
      <Tbody>
        {profiles.map((profile) => (
          <Tr key={`${profile.projectId} ${profile.id}`}>
            <Td className={styles.name}>
              <Link
                to="/organizations/$org/profiles/$profile"
                params={{ org, profile: profile.id }}
                search={{ project: profile.projectId }}
              >
                <VisibleText text={nameOf(profile)} />
              </Link>
            </Td>
            <Td quiet className={styles.cut}>
              <VisibleText text={projects.get(profile.projectId) ?? profile.projectSlug} />
            </Td>
            <Td quiet className={styles.cut}>
              <VisibleText text={profile.release || '–'} />
            </Td>
            <Td numeric>
              <Num value={profile.samples} compact />
              <span className={styles.unit}> samples</span>
            </Td>
            <Td numeric>{formatSpent(profile.duration)}</Td>
            <Td numeric quiet className={styles.when}>
              <RelativeTime time={profile.start} form="age" />
            </Td>
          </Tr>
        ))}
      </Tbody>
    </Table>
  )
}
