import { parseEnvelope } from '@firsthand/protocol'
import { describe, expect, it } from 'vitest'
import { texts as english } from '../../../../../../packages/feedback/src/text/en.ts'
import { pictureTexts } from '../../../../../../packages/feedback/src/text/picture.en.ts'
import { topicTexts } from '../../../../../../packages/feedback/src/text/topic.en.ts'
import { agentPrompt } from './agent-prompt.ts'
import { CONSOLE_LINE, PLATFORMS, platformOf, readDsn, scriptTag } from './platforms.ts'
import { testEnvelope } from './test-event.ts'
import {
  CATEGORIES,
  FORM_TEXTS,
  NO_CHOICES,
  ownTexts,
  readableOn,
  WIDGET_ACCENT,
  WIDGET_TEXTS,
  widgetOptions,
  widgetTag,
} from './widget-choices.ts'

const DSN = 'https://0123456789abcdef@errors.example.com/prefix/42'

describe('readDsn', () => {
  it('splits key, project id and origin with its prefix', () => {
    expect(readDsn(DSN)).toEqual({
      dsn: DSN,
      origin: 'https://errors.example.com/prefix',
      publicKey: '0123456789abcdef',
      projectId: '42',
    })
  })
})

describe('platforms', () => {
  it.each(PLATFORMS.map((platform) => [platform.id, platform] as const))(
    '%s shows the DSN or its parts',
    (_, platform) => {
      const steps = platform.steps(readDsn(DSN))
      expect(steps.some((step) => step.code?.includes(DSN))).toBe(true)
      expect(steps.every((step) => step.title !== '')).toBe(true)
    },
  )

  it('has every id once', () => {
    expect(new Set(PLATFORMS.map((platform) => platform.id)).size).toBe(PLATFORMS.length)
  })

  it('an unknown platform is "other"', () => {
    expect(platformOf('cobol').id).toBe('other')
  })
})

describe('what is copied', () => {
  it('a line for the console is one line that is a whole statement', () => {
    expect(CONSOLE_LINE).not.toContain('\n')
    // Throws a SyntaxError when it is none.
    // oxlint-disable-next-line no-implied-eval, no-new-func -- it is only read, never run
    expect(() => new Function(CONSOLE_LINE)).not.toThrow()
  })

  it('the script tag leads to the server of the DSN, its prefix included', () => {
    expect(scriptTag(readDsn(DSN))).toBe(
      `<script src="https://errors.example.com/prefix/sdk.js"\n  data-dsn="${DSN}" async></script>`,
    )
  })

  it.each(PLATFORMS.map((platform) => [platform.id, platform] as const))(
    'the prompt for %s has every step',
    (_, platform) => {
      const prompt = agentPrompt(platform, readDsn(DSN), 'Shop')
      expect(prompt).toContain(DSN)
      for (const { title, code = '' } of platform.steps(readDsn(DSN))) {
        expect(prompt).toContain(title)
        expect(prompt).toContain(code)
      }
    },
  )

  it('a test event is an envelope with one error', () => {
    const id = 'a'.repeat(32)
    const read = parseEnvelope(new TextEncoder().encode(testEnvelope(1_700_000_000_000, id)))
    if (!read.ok) throw new Error('no envelope')
    expect(read.value.items.map((item) => item.header.type)).toEqual(['event'])
    const event: unknown = JSON.parse(new TextDecoder().decode(read.value.items[0]?.payload))
    expect(event).toMatchObject({ event_id: id, timestamp: 1_700_000_000, level: 'info' })
  })
})

describe('the widget as chosen', () => {
  it('has only what differs from its own', () => {
    expect(widgetOptions(NO_CHOICES)).toEqual({})
    expect(widgetOptions({ ...NO_CHOICES, ...WIDGET_TEXTS, accent: WIDGET_ACCENT })).toEqual({})
    const theme = { accentBackground: '#ffd400', accentForeground: '#0c1a19' }
    expect(widgetOptions({ ...NO_CHOICES, formTitle: ' Tell us ', accent: '#ffd400', withRating: true })).toEqual({
      formTitle: 'Tell us',
      themeLight: theme,
      themeDark: theme,
      rating: true,
    })
  })

  it('knows what a form that asks for a category is called, and keeps what was typed instead', () => {
    const asking = { ...NO_CHOICES, withCategory: true }
    expect(ownTexts(asking)).toMatchObject({ formTitle: 'Send feedback', submitButtonLabel: 'Send feedback' })
    expect(widgetOptions({ ...asking, formTitle: 'Send feedback' })).toEqual({ categories: true })
    expect(widgetOptions({ ...asking, formTitle: 'Report a Bug' })).toEqual({
      formTitle: 'Report a Bug',
      categories: true,
    })
  })

  it('shows the texts that the widget has', () => {
    const texts = { ...english, ...pictureTexts, ...topicTexts }
    expect(texts).toMatchObject({ ...WIDGET_TEXTS, ...FORM_TEXTS })
    expect(CATEGORIES).toEqual([texts.categoryBug, texts.categoryIdea, texts.categoryPraise])
  })

  it('is read back from the tag, whatever was typed', () => {
    const choices = { ...NO_CHOICES, triggerLabel: `It's "odd" & <b>`, withCategory: true }
    const [, value = ''] = /data-feedback='([^']*)'/.exec(widgetTag('https://x.example', DSN, choices)) ?? []
    const json = value.replaceAll('&lt;', '<').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
    expect(JSON.parse(json)).toEqual(widgetOptions(choices))
    expect(widgetTag('https://x.example', DSN, NO_CHOICES)).toContain('data-feedback async')
  })

  it.each([
    ['#ffffff', '#0c1a19'],
    ['#000000', '#ffffff'],
    ['#0b6e69', '#ffffff'],
    ['#ffd400', '#0c1a19'],
  ])('what is read on %s is %s', (color, text) => {
    expect(readableOn(color)).toBe(text)
  })
})
