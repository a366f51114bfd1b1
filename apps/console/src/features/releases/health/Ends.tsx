import { shortVersion } from '../../../lib/short-version.ts'
import { Num, Panel, Table, Tbody, Td, Th, Thead, Tr, VisibleText } from '../../../ui/index.ts'
import { ENDS, firstDaysText, shareOfText } from './rates.ts'
import type { Compared } from './ReleaseHealth.tsx'

interface EndsProps {
  readonly release: NonNullable<Compared['release']>
  readonly before: Compared['before']
  /** Of which alone these are, where its life is longer. */
  readonly days: number | null
}

/** How sessions ended, each in one way. */
export function Ends({ before, days, release }: EndsProps) {
  return (
    <Panel title="How its sessions ended" {...(days !== null && { subtitle: firstDaysText(days) })} content="rows">
      <Table caption="How its sessions ended">
        <Thead>
          <Th>End</Th>
          <Th numeric>Sessions</Th>
          <Th numeric>Share</Th>
          {before === null ? null : (
            <Th numeric>
              In <VisibleText text={shortVersion(before.version)} />
            </Th>
          )}
          <Th numeric>Users</Th>
        </Thead>
        <Tbody>
          {ENDS.map(([end, words]) => (
            <Tr key={end}>
              <Td>{words}</Td>
              <Td numeric>
                <Num value={release.sessions[end]} />
              </Td>
              <Td numeric>{shareOfText(release.sessions[end], release.sessions.total)}</Td>
              {before === null ? null : (
                <Td numeric quiet>
                  {shareOfText(before.sessions[end], before.sessions.total)}
                </Td>
              )}
              <Td numeric>
                <Num value={release.users.total === 0 ? null : release.users[end]} />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  )
}
