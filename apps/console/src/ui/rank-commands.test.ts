import { describe, expect, it } from 'vitest'
import type { Command } from './commands.ts'
import { rankCommands } from './rank-commands.ts'

const command = (label: string, group = 'Go to', more: Partial<Command> = {}): Command => ({
  id: label,
  label,
  group,
  run: () => undefined,
  ...more,
})
const found = (commands: readonly Command[], text: string): readonly (readonly [string, readonly string[]])[] =>
  rankCommands(commands, text).map((section) => [section.group, section.commands.map(({ label }) => label)] as const)

describe('commands of the palette', () => {
  it('stand as they were offered while nothing is typed', () => {
    const all = [command('Receipts'), command('Settings'), command('Log out', 'Do')]
    expect(found(all, ' ')).toEqual([
      ['Go to', ['Receipts', 'Settings']],
      ['Do', ['Log out']],
    ])
  })

  it('rank what begins with the text before what holds it, a label before a keyword, a short one before a long one', () => {
    const all = [
      command('Receipts', 'Go to', { keywords: ['settings of the door'] }),
      command('Project settings'),
      command('Reset things in general'),
      command('Settings of shop', 'Projects'),
      command('Settings'),
    ]
    expect(found(all, 'setti')).toEqual([
      ['Go to', ['Settings', 'Project settings', 'Receipts']],
      ['Projects', ['Settings of shop']],
    ])
    expect(found(all, 'set')[0]).toEqual([
      'Go to',
      ['Settings', 'Project settings', 'Reset things in general', 'Receipts'],
    ])
  })

  it('want every word, anywhere; accents and capitals do not count', () => {
    const all = [command('Réglages de la boutique'), command('Issues of shop'), command('Settings of shop')]
    expect(found(all, 'SHOP iss')).toEqual([['Go to', ['Issues of shop']]])
    expect(found(all, 'reglages boutique')).toEqual([['Go to', ['Réglages de la boutique']]])
    expect(found(all, 'shop lamp')).toEqual([])
  })

  it('put the heading with the best answer first, and what is open before everything', () => {
    const all = [
      command('Archived reports'),
      command('Search the archive', 'Do'),
      command('Archive', 'This issue', { isForOpen: true }),
    ]
    expect(found(all, 'arch').map(([group]) => group)).toEqual(['This issue', 'Go to', 'Do'])
    expect(found(all, '').map(([group]) => group)[0]).toBe('This issue')
  })

  it('hold eight rows of a heading: a list of hundreds is narrowed by typing', () => {
    const all = Array.from({ length: 300 }, (_, index) => command(`Issues of project ${index}`, 'Projects'))
    expect(rankCommands(all, 'issues').flatMap((section) => section.commands)).toHaveLength(8)
    expect(found(all, 'project 299')).toEqual([['Projects', ['Issues of project 299']]])
  })
})
