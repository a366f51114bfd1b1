import { describe, expect, it } from 'vitest'
import { readCodeowners } from './codeowners.ts'
import { LIMITS } from './limits.ts'
import { readRules } from './rules.ts'

describe('rules', () => {
  it('are read as Sentry reads them', () => {
    const { lines, problems } = readRules(
      [
        '# people',
        'path:src/views/* anna@acme.example #web  # the shop',
        'src/api/* #api',
        'module:com.acme.pay.* #pay',
        'url:https://shop.example/checkout/* #pay',
        'tags.customer.plan:pro #sales',
        'path:"My Documents/*" anna@acme.example',
        'codeowners:/docs/ #docs',
        'https://cdn.example/* #web',
      ].join('\r\n'),
    )
    expect(problems).toEqual([])
    expect(
      lines.map(({ kind, tag, pattern, owners, number }) => [number, kind, tag, pattern, owners.join(' ')]),
    ).toEqual([
      [2, 'path', '', 'src/views/*', 'anna@acme.example #web'],
      [3, 'path', '', 'src/api/*', '#api'],
      [4, 'module', '', 'com.acme.pay.*', '#pay'],
      [5, 'url', '', 'https://shop.example/checkout/*', '#pay'],
      [6, 'tag', 'customer.plan', 'pro', '#sales'],
      [7, 'path', '', 'My Documents/*', 'anna@acme.example'],
      [8, 'codeowners', '', '/docs/', '#docs'],
      [9, 'path', '', 'https://cdn.example/*', '#web'],
    ])
  })

  it('that cannot be used say why, by line', () => {
    const { lines, problems } = readRules(
      [
        'path:src/*',
        'path: #web',
        'path:"src #web',
        'src/* @anna',
        `${'x'.repeat(LIMITS.OWNERSHIP_LINE_CHARS)} #web`,
      ].join('\n'),
    )
    expect(lines).toEqual([])
    expect(problems.map(({ number, reason }) => [number, reason])).toEqual([
      [1, 'An owner is missing: write the e-mail of a member, or # and the slug of a team, behind the pattern.'],
      [2, 'A pattern is missing after the colon.'],
      [3, 'The quotes around the pattern are not closed.'],
      [4, '"@anna" is no owner: write the e-mail of a member, or # and the slug of a team.'],
      [5, 'A line has at most 1,000 characters.'],
    ])
  })
})

describe('A91: CODEOWNERS', () => {
  it('of GitHub are taken in, and ignored lines have reasons', () => {
    const { lines, problems } = readCodeowners(
      [
        '# owners',
        '*       @acme/everybody',
        '*.js    @octocat anna@acme.example # inline',
        '/build/logs/ @doctocat',
        'docs/*  docs@acme.example',
        '/apps/github',
        'path\\ with\\ blank/ @acme/web',
        '!/apps/private @acme/web',
        '\\#note @acme/web',
        'src/[ab]/ @acme/web',
        'lib/ somebody',
      ].join('\n'),
    )
    expect(lines.map(({ number, pattern, owners }) => [number, pattern, owners.join(' ')])).toEqual([
      [2, '*', '@acme/everybody'],
      [3, '*.js', '@octocat anna@acme.example'],
      [4, '/build/logs/', '@doctocat'],
      [5, 'docs/*', 'docs@acme.example'],
      [6, '/apps/github', ''],
      [7, 'path with blank/', '@acme/web'],
    ])
    expect(problems.map(({ number, reason }) => [number, reason])).toEqual([
      [8, 'Lines that begin with ! do not work in CODEOWNERS files, so this one is not used.'],
      [9, 'A pattern cannot begin with \\# in a CODEOWNERS file, so this line is not used.'],
      [10, 'Ranges of characters, [ ], do not work in CODEOWNERS files, so this line is not used.'],
      [11, '"somebody" is not used: an owner is @name, @organisation/team or an e-mail.'],
    ])
  })

  it('of GitLab have sections, whose owners are those of lines without any', () => {
    const { lines, problems } = readCodeowners(
      [
        '[Documentation] @docs-team',
        'docs/',
        'README.md @anna',
        '^[Database][2] @acme/db',
        'model/db/',
        '[Plain]',
        'x/ @bob',
      ].join('\n'),
    )
    expect(problems).toEqual([])
    expect(lines.map(({ pattern, owners }) => [pattern, owners.join(' ')])).toEqual([
      ['docs/', '@docs-team'],
      ['README.md', '@anna'],
      ['model/db/', '@acme/db'],
      ['x/', '@bob'],
    ])
  })
})
