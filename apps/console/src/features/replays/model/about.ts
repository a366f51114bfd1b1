import type { Replay, ReplayPlayback } from '@firsthand/contract'

import { formatBytes, formatCount } from '../../../lib/format.ts'
import { assetWords } from './asset-words.ts'
import { recorderWords } from './recording-words.ts'

/** A name and what it is; several where it changed. */
export interface Fact {
  readonly name: string
  readonly values: readonly string[]
}

export interface About {
  readonly title: string
  readonly facts: readonly Fact[]
}

const joined = (...words: readonly (string | null)[]): string => words.filter((word) => word).join(' ')

const fact = (name: string, ...values: readonly (string | null)[]): readonly Fact[] => {
  const known = values.filter((value): value is string => value !== null && value !== '')
  return known.length === 0 ? [] : [{ name, values: known }]
}

const person = ({ user }: Replay): readonly Fact[] => [
  ...fact('Name', user.username),
  ...fact('E-mail', user.email),
  ...fact('Id', user.id),
  ...fact('Address', user.ip),
]

const place = ({ browser, device, os }: Replay, { pages }: ReplayPlayback): readonly Fact[] => {
  const sizes = pages
    .filter(({ width, height }) => width > 0 && height > 0)
    .map((one) => `${one.width} × ${one.height}`)
  return [
    ...fact('Browser', joined(browser.name, browser.version)),
    ...fact('System', joined(os.name, os.version)),
    ...fact('Device', joined(device.brand, device.model ?? device.name)),
    ...fact('Window', ...new Set(sizes)),
  ]
}

/** What the recorder said of itself, each sentence once with how often it came. */
function saidOfItself({ marks }: ReplayPlayback): readonly string[] {
  const said = new Map<string, number>()
  for (const mark of marks) {
    const words = mark.kind === 'note' ? recorderWords(mark) : null
    if (words !== null) said.set(words.text, (said.get(words.text) ?? 0) + 1)
  }
  return [...said].map(([text, times]) => (times === 1 ? text : `${text}, ${formatCount(times)} times`))
}

function recording(playback: ReplayPlayback): readonly Fact[] {
  const { gaps, replay, segments } = playback
  const broken = segments.filter((one) => one.broken !== null).length
  const missing = gaps.reduce((sum, gap) => sum + gap.segments, 0)
  const bytes = segments.reduce((sum, one) => sum + one.bytes, 0)
  const kind = replay.replay_type === 'buffer' ? 'Held back until an error came' : 'From the beginning of the visit'
  return [
    ...fact('Recorded', kind),
    ...fact('Recorder', joined(replay.sdk.name, replay.sdk.version)),
    ...fact('Segments', formatCount(segments.length), missing === 0 ? null : `${formatCount(missing)} did not come`),
    ...fact('Not readable', broken === 0 ? null : formatCount(broken)),
    ...fact('Size', bytes === 0 ? null : `${formatBytes(bytes)}, as it was sent`),
    ...fact('Images, fonts, styles', ...assetWords(playback.assets)),
    ...fact('It says', ...saidOfItself(playback)),
  ]
}

/** All that is known of a replay beside what happened in it; groups without anything are left out. */
export function readAbout(playback: ReplayPlayback): readonly About[] {
  const { projectSlug, replay } = playback
  const groups: readonly About[] = [
    { title: 'Visitor', facts: person(replay) },
    { title: 'Device', facts: place(replay, playback) },
    {
      title: 'Application',
      facts: [
        ...fact('Project', projectSlug),
        ...fact('Release', ...replay.releases),
        ...fact('Distribution', replay.dist),
        ...fact('Environment', replay.environment),
        ...fact('Platform', replay.platform),
      ],
    },
    { title: 'Recording', facts: recording(playback) },
    { title: 'Tags', facts: Object.entries(replay.tags).map(([name, values]) => ({ name, values })) },
  ]
  return groups.filter(({ facts }) => facts.length > 0)
}
