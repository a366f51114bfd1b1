import type { OwnershipTest } from '@firsthand/contract'

/** What a tester found, in words. */

type Loser = OwnershipTest['losers'][number]

const WHY: Readonly<Record<Loser['why'], string>> = {
  'earlier line': 'a line further down matches as well',
  'further from the crash': 'another frame is nearer to the crash',
  'nobody known': 'none of those it names is here',
  excludes: 'it names nobody, so the next frame was asked',
}

export const whyItLost = ({ why }: Loser): string => WHY[why]

export const lineName = ({
  line,
  source,
}: {
  readonly line: number
  readonly source: 'codeowners' | 'rules'
}): string => (source === 'rules' ? `Line ${line}` : `CODEOWNERS, line ${line}`)

/** `pay.ts:12 in charge`; what of it is known. */
export const frameName = ({
  absPath,
  filename,
  function: name,
  line,
  module,
}: OwnershipTest['frames'][number]): string => {
  const file = filename || absPath || module || 'a frame without a name'
  return `${file}${line === null ? '' : `:${line}`}${name === '' ? '' : ` in ${name}`}`
}

export const outcomeOf = ({ decides, event, frame, frames, isCutShort, owners }: OwnershipTest): string => {
  const what = event === null ? 'This' : `"${event.title}"`
  if (isCutShort) return `${what} is nobody's: there are too many rules to compare so long a stack with them.`
  if (decides === null) return `${what} is nobody's: no line matches that names somebody who is here.`
  const at = frame === null ? undefined : frames[frame]
  const because = at === undefined ? 'by what the event says as a whole' : `by ${frameName(at)}`
  const names = owners.map(({ email, name, slug }) => (slug === undefined ? name || email : `#${slug}`))
  return `${what} is ${names.join(', ')}'s, ${because}.`
}
