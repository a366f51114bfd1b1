import { isFiltered } from './element.ts'
import type { RecordedRequest } from './requests.ts'
import { ASSERTION, HEAD, RUNTIME } from './runtime.ts'
import type { Action, Load, Missing, Step, StepReader } from './steps.ts'
import { writeFlow, type Flow, type FlowAction } from './write-flow.ts'
import { commented, cut, quoted } from './writer.ts'

/** A replay, as its test tells of it. */
export interface ReplayFacts {
  readonly replayId: string
  /** When it began; milliseconds since 1970, as all times here. */
  readonly startedAt: number
  /** Such as `Chrome 141 on Windows 11`. */
  readonly browser: string
  /** The error that the test waits for, and when it came. */
  readonly error: { readonly title: string; readonly at: number } | null
  /** What else is not in the test. */
  readonly notes: readonly string[]
}

/** Rules of a project about what may leave it. */
export interface Scrubbing {
  readonly url: (url: string) => string
  readonly text: (text: string) => string
}

export interface TestStep {
  /** Of the source, from 1 on. */
  readonly line: number
  /** When it was done. */
  readonly at: number
  /** The line without its remark. */
  readonly code: string
  /** A value stands in for one that was masked. */
  readonly masked: boolean
}

/** A line of the test itself, without what stands above and below it in its file. */
export interface TestLine {
  /** Without its remark. */
  readonly text: string
  /** When it was done; null for what only serves the test. */
  readonly at: number | null
  readonly kind: 'plain' | 'masked' | 'error'
}

/** A request that the test answers. */
export interface TestAnswer {
  /** Method and address. */
  readonly request: string
  readonly times: number
  /** How many of the answers have no body, because none was recorded. */
  readonly withoutBody: number
}

export interface ReplayTest {
  readonly source: string
  /** The same steps for Chrome's Recorder. */
  readonly flow: Flow
  readonly lines: readonly TestLine[]
  readonly answers: readonly TestAnswer[]
  readonly steps: readonly TestStep[]
  /** What is not as it was recorded; null for what is about no moment. */
  readonly missing: readonly { readonly at: number | null; readonly text: string }[]
}

/** A request belongs to the step before it if it began so soon. */
const REQUEST_OF_STEP_MS = 1000
/** A page asks for things before its recorder has its first picture. */
const REQUEST_BEFORE_LOAD_MS = 5000
/** Characters of all bodies together. */
const MAX_BODIES = 1_000_000
const LEAST_TIME_MS = 5000
const MOST_TIME_MS = 30_000
const TIME_PER_STEP_MS = 10_000

/** Of the step that waits for the error. */
const ASSERTION_LINES = 3

const clock = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const urlOf = (url: string, base?: string): URL | null => {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

/** Of pages of sites. */
const originOf = (url: string): string | null => {
  const read = urlOf(url)
  return read !== null && /^https?:$/.test(read.protocol) ? read.origin : null
}

/** The last moment that a `Date` can name. */
const LAST_MS = 8.64e15

const iso = (milliseconds: number): string => new Date(Math.min(Math.max(milliseconds, 0), LAST_MS)).toISOString()

const withUnderscores = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, '_')

interface Answers {
  /** By method and address, in the order in which they were asked for. */
  readonly byKey: ReadonlyMap<string, readonly RecordedRequest[]>
  /** Those that something that was done led to. Others come by themselves, from time to time, and need not come again. */
  readonly ofSteps: ReadonlySet<RecordedRequest>
}

class TestWriter {
  readonly #facts: ReplayFacts
  readonly #scrubbing: Scrubbing
  readonly #steps: readonly Step[]
  readonly #missing: Missing[]
  readonly #origin: string
  readonly #loads: readonly Load[]
  readonly #answers: Answers
  readonly #lines: string[] = []
  readonly #times: TestStep[] = []
  readonly #answered: TestAnswer[] = []
  /** Of the lines of the test, where it waits for the error. */
  #assertion = Infinity

  constructor(facts: ReplayFacts, reader: StepReader, scrubbing: Scrubbing) {
    this.#facts = facts
    this.#scrubbing = scrubbing
    const steps = reader.steps.toSorted((one, other) => one.at - other.at)
    this.#missing = [...reader.missing]
    this.#loads = steps.filter((step) => step.kind === 'load')
    this.#origin = urlOf(this.#loads[0]?.url ?? '')?.origin ?? ''
    this.#steps = this.#stepsOfSite(steps)
    this.#answers = this.#answersOf(reader.requests)
    if (reader.leftOut > 0)
      this.#missing.unshift({ at: 0, text: `the first ${reader.leftOut} steps: there are too many` })
  }

  write(): ReplayTest {
    const answers = this.#answerLines()
    const body = this.#bodyLines()
    this.#writeHead()
    const first = this.#lines.length
    this.#lines.push(...body)
    this.#lines.push('', '/** Answers to what the page asks for, by method and address, in their order. */')
    this.#lines.push(...answers, '', RUNTIME, '')
    return {
      source: this.#lines.join('\n'),
      flow: this.#flow(),
      lines: this.#shown(body),
      answers: this.#answered,
      steps: this.#times.map((step) => ({ ...step, line: first + step.line + 1 })),
      missing: [
        ...this.#missing.map(({ at, text }) => ({ at: at === 0 ? null : at, text })),
        ...this.#facts.notes.map((text) => ({ at: null, text })),
      ],
    }
  }

  #flow(): Flow {
    const { error, replayId } = this.#facts
    const base = this.#loads[0]?.url ?? ''
    const actions = this.#steps.flatMap((step): FlowAction[] => {
      if (step.kind === 'action') {
        const typed = step.value === null ? null : this.#valueOf(step.value, step)
        const own = typed?.isOwn === false ? step.standsIn : step.value
        return [{ kind: 'action', action: step, value: typed?.isOwn === false && step.verb === 'select' ? null : own }]
      }
      const place = this.#placeOf(step.url, base)
      if (!place?.startsWith('/') || place.startsWith('//')) return []
      const { origin } = new URL(base)
      return [{ kind: step.kind === 'load' && !step.isFollowed ? 'navigate' : 'arrive', url: `${origin}${place}` }]
    })
    const title = error === null ? `What was done in replay ${replayId.slice(0, 8)}` : error.title
    return writeFlow({ title: cut(commented(title), 100), window: this.#loads[0] ?? null, actions })
  }

  #shown(body: readonly string[]): TestLine[] {
    const byLine = new Map(this.#times.map((step) => [step.line, step]))
    const end = this.#assertion + ASSERTION_LINES
    return body.map((line, index): TestLine => {
      const step = byLine.get(index)
      const isError = index >= this.#assertion && index < end
      const kind = isError ? 'error' : step?.masked === true ? 'masked' : 'plain'
      return { text: step?.code ?? line, at: step?.at ?? null, kind }
    })
  }

  /** Whoever made the recording would otherwise choose where the browser goes of whoever runs the test, and what it does there. */
  #stepsOfSite(steps: readonly Step[]): Step[] {
    const others = new Set<string>()
    let isAway = false
    return steps.flatMap((step): Step[] => {
      if (step.kind !== 'load') return isAway ? [] : [step]
      const origin = originOf(step.url)
      const wasAway = isAway
      isAway = origin === null ? wasAway : origin !== this.#origin
      // Nothing led back from where the test has not been.
      if (!isAway) return [{ ...step, isFollowed: step.isFollowed && !wasAway }]
      if (origin !== null && !others.has(origin)) {
        others.add(origin)
        const text = `pages of ${this.#scrubbing.url(origin)}: another site is not visited, and what was done there is left out`
        this.#missing.push({ at: step.at, text })
      }
      return []
    })
  }

  /** As a test says it: without the origin, which may be another one when it runs. */
  #placeOf(written: string, base: string): string | null {
    const url = urlOf(this.#scrubbing.url(written), base === '' ? undefined : base)
    if (url === null || originOf(url.href) === null) return null
    return url.origin === this.#origin ? url.href.slice(url.origin.length) : url.href
  }

  /** What was scrubbed in an address is asked for in another way. */
  #keyOf({ method, url, from }: RecordedRequest): string | null {
    const page = this.#loads.findLast(({ at }) => at <= from + REQUEST_BEFORE_LOAD_MS)?.url ?? ''
    const place = this.#placeOf(url, page)
    if (place === null) return null
    const [path = '', query] = (place.split('#')[0] ?? '').split('?', 2)
    const isWhole = !isFiltered(place) && this.#scrubbing.url(url) === url
    return `${method} ${query !== undefined && isWhole ? `${path}?${query}` : path}`
  }

  #answersOf(requests: readonly RecordedRequest[]): Answers {
    const byKey = new Map<string, RecordedRequest[]>()
    const ofSteps = new Set<RecordedRequest>()
    const begin = (this.#loads[0]?.at ?? 0) - REQUEST_BEFORE_LOAD_MS
    for (const request of requests.toSorted((one, other) => one.from - other.from)) {
      const key = request.from < begin ? null : this.#keyOf(request)
      if (key === null) continue
      if (this.#steps.some((step) => isOfStep(request, step))) ofSteps.add(request)
      byKey.set(key, [...(byKey.get(key) ?? []), request])
    }
    return { byKey, ofSteps }
  }

  #answerLines(): string[] {
    const lines = [
      'const ANSWERS = new Map<string, readonly { readonly status: number; readonly type: string; readonly body: string | null }[]>([',
    ]
    let left = MAX_BODIES
    for (const [key, requests] of this.#answers.byKey) {
      lines.push(`  [${quoted(key)}, [`)
      let without = 0
      for (const { status, type, body: recorded } of requests) {
        const body = recorded === null || recorded.length > left ? null : this.#scrubbing.text(recorded)
        left -= body?.length ?? 0
        if (body === null && status !== 0 && status !== 204 && status !== 304) without += 1
        lines.push(`    { status: ${status}, type: ${quoted(type)}, body: ${body === null ? 'null' : quoted(body)} },`)
      }
      lines.push('  ]],')
      this.#answered.push({ request: key, times: requests.length, withoutBody: without })
      const [{ from: at } = { from: 0 }] = requests
      if (without > 0)
        this.#missing.push({
          at,
          text: `${cut(key, 200)}: what ${without === 1 ? 'it' : `${without} times`} answered was not recorded, so it is {}`,
        })
    }
    return [...lines, '])']
  }

  #bodyLines(): string[] {
    const { error, replayId } = this.#facts
    const lines: string[] = []
    const title = error === null ? `what was done in replay ${replayId.slice(0, 8)}` : error.title
    const first = this.#loads[0]
    lines.push(`test(${quoted(cut(title, 100))}, async ({ page }) => {`)
    const time = MOST_TIME_MS + TIME_PER_STEP_MS * this.#steps.length
    lines.push(`  test.setTimeout(${withUnderscores(time)})`, '  const replay = await record(page)')
    if (first !== undefined) lines.push(`  await page.clock.install({ time: new Date('${iso(first.at)}') })`)
    for (const [index, step] of this.#steps.entries()) this.#writeStep(step, index, lines)
    if (error === null)
      this.#missing.unshift({ at: 0, text: 'no error was reported in this replay: nothing is expected' })
    else {
      const code = `  await test.step(${quoted(ASSERTION)}, async () => {`
      this.#assertion = lines.length
      this.#times.push({ line: lines.length, at: error.at, code, masked: false })
      lines.push(`${code} // ${this.#clock(error.at)}`, '    expect(await replay.errors()).toEqual([])', '  })')
    }
    lines.push('})')
    return lines
  }

  #clock(at: number): string {
    return clock(at - this.#facts.startedAt)
  }

  #writeStep(step: Step, index: number, lines: string[]): void {
    const before = this.#steps.slice(0, index)
    const next = this.#steps[index + 1]
    const address = before.findLast(({ kind }) => kind !== 'action')
    const base = address === undefined || address.kind === 'action' ? '' : address.url
    const write = (line: string, remark = '', masked = false): void => {
      this.#times.push({ line: lines.length, at: step.at, code: `  ${line}`, masked })
      lines.push(`  ${line} // ${this.#clock(step.at)}${commented(remark)}`)
    }
    if (step.kind === 'action') {
      for (const line of this.#waits(before.at(-1), step)) lines.push(line)
      const otherwise = step.located?.otherwise ?? null
      const typed = step.value === null ? null : this.#valueOf(step.value, step)
      const isMasked = typed?.isOwn === false
      const masked = isMasked ? ', masked: put in a real value' : ''
      write(
        `await ${callOf(step, typed?.code ?? step.args)}`,
        `${masked}${otherwise === null ? '' : `, or ${cut(otherwise, 200)}`}`,
        isMasked,
      )
      if (isMasked)
        this.#missing.push({ at: step.at, text: `what was typed or chosen: it is masked, and ${typed.code} stands in` })
      return
    }
    const written = this.#placeOf(step.url, this.#loads[0]?.url ?? '')
    if (!written?.startsWith('/')) return
    // Two slashes at the beginning would name another site.
    const place = written.startsWith('//') ? `/.${written}` : written
    const isSame = base !== '' && this.#placeOf(base, this.#loads[0]?.url ?? '') === place
    if (step.kind === 'load') {
      if (isSame) write('await page.reload()')
      else if (step.isFollowed) write(`await expect(page).toHaveURL(${addressed(place)})`)
      else write(`await page.goto(${quoted(place)})`)
    } else if (!isSame && next?.kind !== 'move') write(`await expect(page).toHaveURL(${addressed(place)})`)
  }

  /** What is typed, unless it was masked or must not be said. */
  #valueOf(value: string, step: Action): { readonly code: string; readonly isOwn: boolean } {
    const isOwn = !step.isMasked && this.#scrubbing.text(value) === value
    if (isOwn) return { code: quoted(value), isOwn }
    return { code: step.verb === 'select' ? '{ index: 1 }' : quoted(step.standsIn), isOwn }
  }

  /** What the page asked for because of what was done, and had between two steps. */
  #waits(before: Step | undefined, { at }: Action): string[] {
    if (before === undefined) return []
    const begin = beginOf(before)
    return Array.from(this.#answers.byKey, ([key, requests]) => {
      const came = (request: RecordedRequest): boolean =>
        request.to > begin && request.to <= at && this.#answers.ofSteps.has(request)
      return { key, times: requests.findLastIndex(came) + 1 }
    })
      .filter(({ times }) => times > 0)
      .map(({ key, times }) => `  await replay.asked(${quoted(key)}, ${times})`)
  }

  #writeHead(): void {
    const { browser, error, notes, replayId, startedAt } = this.#facts
    const [first] = this.#loads
    const size = first === undefined ? '' : `, ${first.width} × ${first.height}`
    const say = (text: string): void => {
      this.#lines.push(`// ${commented(text)}`.trimEnd())
    }
    say(`Made by Firsthand from replay ${replayId} of ${iso(startedAt)}.`)
    say(`${browser === '' ? 'An unknown browser' : browser}${size}, ${this.#origin}`)
    say('')
    say('Not as it was recorded:')
    for (const { at, text } of this.#missing) say(`- ${at === 0 ? '' : `${this.#clock(at)} `}${text}`)
    for (const note of notes) say(`- ${note}`)
    say(
      '- Time zone, language, random numbers, cookies and what is stored in the browser are those of whoever runs it.',
    )
    say('- What a visitor did is done with everything that this browser is signed in as.')
    say('- Pages, scripts and pictures come from the site that it runs against; web sockets and event streams do, too.')
    this.#lines.push(HEAD, '')
    this.#lines.push(
      `const RECORDED_ERROR = ${quoted(withoutEnd(error?.title ?? ''))}`,
      `const BASE_URL = process.env['FIRSTHAND_BASE_URL'] ?? ${quoted(this.#origin)}`,
      '/** For the error to come after the last step. */',
      `const TIME_TO_COME = ${withUnderscores(this.#timeToCome())}`,
      '',
      `test.use({ baseURL: BASE_URL, serviceWorkers: 'block', actionTimeout: ${withUnderscores(TIME_PER_STEP_MS)}${viewport(first)} })`,
      '',
    )
  }

  #timeToCome(): number {
    const last = this.#steps.at(-1)?.at ?? 0
    const waited = Math.max(0, (this.#facts.error?.at ?? last) - last)
    return Math.min(MOST_TIME_MS, LEAST_TIME_MS + Math.ceil(waited / 1000) * 1000)
  }
}

const beginOf = ({ at, kind }: Step): number => at - (kind === 'load' ? REQUEST_BEFORE_LOAD_MS : 0)

const isOfStep = ({ from }: RecordedRequest, step: Step): boolean =>
  from >= beginOf(step) && from <= step.at + REQUEST_OF_STEP_MS

const viewport = (load: Load | undefined): string =>
  load === undefined || load.width < 1 || load.height < 1
    ? ''
    : `, viewport: { width: ${Math.round(load.width)}, height: ${Math.round(load.height)} }`

/** Titles are cut off when they are long. */
const withoutEnd = (title: string): string => title.replace(/\s*(?:…|\.\.\.)$/, '')

/** Of an address within a page, too, where pages are told apart by it. */
const addressed = (place: string): string => {
  const url = urlOf(place, 'http://site.invalid')
  const path = url?.pathname ?? '/'
  const hash = url?.hash ?? ''
  return hash.startsWith('#/')
    ? `(url) => url.pathname + url.hash === ${quoted(path + hash)}`
    : `(url) => url.pathname === ${quoted(path)}`
}

const callOf = ({ located, verb }: Action, args: string): string => {
  if (verb === 'mouse') return `page.mouse.click(${args})`
  if (located === null) return `page.keyboard.press(${args})`
  if (verb === 'check') return args === '' ? `${located.code}.check()` : `${located.code}.uncheck()`
  return `${located.code}.${verb === 'select' ? 'selectOption' : verb}(${args})`
}

const isOfSite = (step: Step | undefined): boolean => step?.kind === 'load' && originOf(step.url) !== null

/** Null for a replay of which no page of a site was recorded. */
export const writeTest = (facts: ReplayFacts, reader: StepReader, scrubbing: Scrubbing): ReplayTest | null =>
  isOfSite(reader.steps.find(({ kind }) => kind === 'load')) ? new TestWriter(facts, reader, scrubbing).write() : null
