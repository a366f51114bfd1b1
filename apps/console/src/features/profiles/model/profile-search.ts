import { urlText } from '../../../lib/url-search.ts'

/** Which profile is shown and how it is looked at, as its URL says it. */
export interface ProfileUrl {
  /** The same stacks together; in the order of time without it. */
  readonly order?: 'heavy'
  /** The time in which nothing ran is drawn, too. */
  readonly waiting?: boolean
  /** Id of its project. */
  readonly project?: string
  readonly thread?: string
  /** Milliseconds since the epoch: only what ran in this time. Both or neither. */
  readonly from?: number
  readonly to?: number
  /** The span from which one came, for the way back where the profile names no trace. */
  readonly trace?: string
  readonly span?: string
}

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readProfileUrl(raw: Readonly<Record<string, unknown>>): ProfileUrl {
  const [from, to] = [Number(urlText(raw.from) || NaN), Number(urlText(raw.to) || NaN)]
  const project = urlText(raw.project)
  const thread = urlText(raw.thread).slice(0, 128)
  return {
    ...(raw.order === 'heavy' && { order: 'heavy' }),
    ...((raw.waiting === true || raw.waiting === 'true') && { waiting: true }),
    ...(/^\d{1,12}$/.test(project) && { project }),
    ...(thread !== '' && { thread }),
    ...(from >= 0 && from < to && to < Infinity && { from, to }),
    ...(/^[0-9a-f]{32}$/.test(urlText(raw.trace)) && { trace: urlText(raw.trace) }),
    ...(/^[0-9a-f]{16}$/.test(urlText(raw.span)) && { span: urlText(raw.span) }),
  }
}
