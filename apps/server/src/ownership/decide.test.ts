import { describe, expect, it } from 'vitest'
import { readCodeowners } from './codeowners.ts'
import type { Steps } from '../lib/sliced-work.ts'
import { compileLines, decide, type Decision, type Walk } from './decide.ts'
import { LIMITS } from './limits.ts'
import type { MatchedEvent, MatchedFrame } from './matched-event.ts'
import { pathInRepository } from './matcher.ts'
import { readRules } from './rules.ts'

const frame = (filename: string, more: Partial<MatchedFrame> = {}): MatchedFrame => ({
  filename,
  absPath: '',
  module: '',
  function: 'f',
  line: 1,
  isInApp: true,
  ...more,
})

const eventOf = (frames: readonly MatchedFrame[], more: Partial<MatchedEvent> = {}): MatchedEvent => ({
  frames,
  url: '',
  tags: new Map(),
  ...more,
})

const done = (steps: Steps<Decision>): Decision => {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}

interface Case {
  readonly rules?: string
  readonly codeowners?: string
  readonly event: MatchedEvent
  readonly walk?: Walk
  readonly strangers?: readonly string[]
}

const judge = ({ codeowners = '', event, rules = '', strangers = [], walk = 'frames' }: Case) => {
  const compiled = compileLines([...readCodeowners(codeowners).lines, ...readRules(rules).lines])
  const isKnown = (owner: string): boolean => !strangers.includes(owner)
  const decision = done(decide(compiled, event, { walk, isKnown, losers: 20 }))
  // Whoever does not ask for lines that lost hears the same.
  const alone = done(decide(compiled, event, { walk, isKnown }))
  expect([alone.line, alone.frame, alone.owners]).toEqual([decision.line, decision.frame, decision.owners])
  return {
    owners: decision.owners.join(' '),
    at: [decision.frame, decision.line?.source, decision.line?.number],
    losers: decision.losers.map(({ frame: at, line, why }) => [at, line.number, why]),
  }
}

const RULES = ['* #everybody', 'src/pay/* #pay', 'src/web/* #web'].join('\n')

describe('A90: whose an event is', () => {
  it('says the frame nearest to the crash that somebody owns, by its last line; the lines that lose are told', () => {
    const event = eventOf([
      frame('node_modules/react/index.js', { isInApp: false }),
      frame('src/pay/card.ts'),
      frame('src/web/page.tsx'),
    ])
    expect(judge({ rules: RULES, event })).toEqual({
      owners: '#pay',
      at: [1, 'rules', 2],
      losers: [
        [1, 1, 'earlier line'],
        [2, 3, 'further from the crash'],
      ],
    })
    // As Sentry: the last line of the file that matches any frame.
    expect(judge({ rules: RULES, event, walk: 'sentry' })).toEqual({
      owners: '#web',
      at: [2, 'rules', 3],
      losers: [
        [1, 2, 'earlier line'],
        [0, 1, 'earlier line'],
      ],
    })
  })

  it('asks all frames where none is of the application, but none that is certainly not', () => {
    const event = eventOf([frame('lib/x.py', { isInApp: false }), frame('src/pay/a.py', { isInApp: null })])
    expect(judge({ rules: RULES, event }).at).toEqual([1, 'rules', 2])
  })

  it('lets a line about the URL or a tag win over frames only when it stands further down', () => {
    const event = eventOf([frame('src/pay/card.ts')], {
      url: 'https://shop.example/Checkout/1',
      tags: new Map([['plan', ['pro']]]),
    })
    const above = 'url:*/checkout/* #checkout\nsrc/pay/* #pay'
    expect(judge({ rules: above, event })).toMatchObject({ owners: '#pay', losers: [[null, 1, 'earlier line']] })
    const below = 'src/pay/* #pay\nurl:*/checkout/* #checkout'
    expect(judge({ rules: below, event })).toMatchObject({ owners: '#checkout', at: [null, 'rules', 2] })
    expect(judge({ rules: 'tags.plan:pro #sales', event: { ...event, frames: [] } }).owners).toBe('#sales')
    // Names of tags and their values have capital letters.
    expect(judge({ rules: 'tags.plan:PRO #sales', event }).owners).toBe('')
  })

  it('passes lines by that name nobody who is there, and lines of CODEOWNERS that exclude', () => {
    const event = eventOf([frame('src/gen/a.ts'), frame('src/web/b.ts')])
    const codeowners = 'src/ @acme/all\n/src/gen/\n'
    expect(judge({ codeowners, event })).toEqual({
      owners: '@acme/all',
      at: [1, 'codeowners', 1],
      losers: [
        [0, 2, 'excludes'],
        [0, 1, 'earlier line'],
      ],
    })
    expect(judge({ codeowners, event: eventOf([frame('src/gen/a.ts')]), walk: 'sentry' }).owners).toBe('')
    expect(judge({ rules: 'src/* gone@x.example #web', event, strangers: ['gone@x.example'] }).owners).toBe('#web')
    expect(judge({ rules: 'src/* gone@x.example', event, strangers: ['gone@x.example'] }).losers[0]).toEqual([
      0,
      1,
      'nobody known',
    ])
  })

  it('has rules win over CODEOWNERS', () => {
    const event = eventOf([frame('src/web/b.ts')])
    expect(judge({ codeowners: '* @acme/all', rules: 'src/* #web', event })).toEqual({
      owners: '#web',
      at: [0, 'rules', 1],
      losers: [[0, 1, 'earlier line']],
    })
  })

  it('ends comparing, and says so, where there is too much of it', () => {
    const compiled = compileLines(readRules('*a*b*c*d #web\n'.repeat(1000)).lines)
    const event = eventOf([frame('a'.repeat(1000))])
    const decision = done(decide(compiled, event, { walk: 'frames', isKnown: () => true, steps: 10_000 }))
    expect(decision).toMatchObject({ isCutShort: true, line: null, owners: [] })
  })

  it('compares in slices, counts each line, and asks frames of one file once', () => {
    const lines = readCodeowners('other/ @acme/x\n'.repeat(5000)).lines
    const event = eventOf(Array.from({ length: 100 }, (_, line) => frame('src/a.ts', { line })))
    const steps = decide(compileLines(lines), event, { walk: 'frames', isKnown: () => true })
    let slices = 0
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) slices += 1
    expect(slices).toBeGreaterThan(3)
    expect(next.value.steps).toBeGreaterThan(5000)
    expect(next.value.steps).toBeLessThan(LIMITS.OWNERSHIP_STEPS / 10)
    expect(next.value.isCutShort).toBe(false)
  })

  it('finds one of very many folders, whichever frame is in it', () => {
    const folders = Array.from({ length: LIMITS.CODEOWNERS_LINES }, (_, number) => `/apps/team-${number}/ @acme/x`)
    const compiled = compileLines(readCodeowners(folders.join('\n')).lines)
    const elsewhere = Array.from({ length: 99 }, (_, number) => frame(`apps/shared/${number}.ts`))
    const event = eventOf([...elsewhere, frame('apps/team-7/src/a.ts')])
    for (const walk of ['frames', 'sentry'] as const) {
      const decision = done(decide(compiled, event, { walk, isKnown: () => true, losers: 20 }))
      expect([decision.frame, decision.line?.number, decision.isCutShort]).toEqual([99, 8, false])
    }
  })

  it('keeps few lines that lost, however many there are', () => {
    const lines = readCodeowners('src/ @acme/x\n'.repeat(20_000)).lines
    const event = eventOf(Array.from({ length: 100 }, (_, number) => frame(`src/${number}.ts`)))
    const decision = done(decide(compileLines(lines), event, { walk: 'sentry', isKnown: () => true, losers: 20 }))
    expect(decision.losers).toHaveLength(20)
    expect(decision.steps).toBeLessThan(10_000)
  })
})

describe('A91: patterns of CODEOWNERS', () => {
  it.each([
    ['*', 'a/b/c.ts', true],
    ['*.ts', 'a/b/c.ts', true],
    ['*.ts', 'a/b/c.js', false],
    ['/build/logs/', 'build/logs/x/y.txt', true],
    ['/build/logs/', 'a/build/logs/y.txt', false],
    ['docs/*', 'docs/getting-started.md', true],
    ['docs/*', 'docs/build-app/troubleshooting.md', false],
    ['apps/', 'a/apps/x.ts', true],
    ['apps/', 'apps', false],
    ['/docs/', 'docs/a.md', true],
    ['/scripts/', 'x/scripts/a.sh', false],
    ['**/logs', 'a/b/logs/c', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b/c.ts', true],
    ['/apps/github', 'apps/github/x.ts', true],
    ['/apps/github', 'apps/githubber', false],
    ['src', 'lib/src/x.ts', true],
  ])('%s and %s: %s', (pattern, path, matches) => {
    const event = eventOf([frame(path)])
    expect(judge({ codeowners: `${pattern} @acme/x`, event }).owners).toBe(matches ? '@acme/x' : '')
  })

  it.each([
    ['webpack:///./src/a.ts?4f', 'src/a.ts'],
    ['https://shop.example/assets/app.js', 'assets/app.js'],
    ['app:///src/a.ts', 'src/a.ts'],
    ['../src/a.ts', 'src/a.ts'],
    ['src\\Web\\a.cs', 'src/Web/a.cs'],
    ['/srv/app/a.py', 'srv/app/a.py'],
  ])('%s is %s in the repository', (path, expected) => {
    expect(pathInRepository(path)).toBe(expected)
  })
})
