/** What channels are sent, read back as far as it is shown: the bodies are those that our own renderers made. */

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(object) : [])
const word = (value: unknown): string => (typeof value === 'string' ? value : '')

const read = (body: string): Json => {
  try {
    return object(JSON.parse(body))
  } catch {
    // Not every channel is sent JSON.
    return {}
  }
}

/** A run of text in Slack. */
export interface SlackText {
  readonly text: string
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isLink: boolean
}

export type SlackBlock =
  | { readonly kind: 'header' | 'context'; readonly text: string }
  | { readonly kind: 'section' | 'code' | 'quote'; readonly runs: readonly SlackText[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly SlackText[])[] }
  | { readonly kind: 'buttons'; readonly labels: readonly string[] }

const runOf = (element: Json): SlackText => {
  const style = object(element['style'])
  return {
    text: word(element['text']),
    isBold: style['bold'] === true,
    isItalic: style['italic'] === true,
    isLink: element['type'] === 'link',
  }
}

const RICH: Readonly<Record<string, 'section' | 'code' | 'quote'>> = {
  rich_text_section: 'section',
  rich_text_preformatted: 'code',
  rich_text_quote: 'quote',
}

const richOf = (element: Json): readonly SlackBlock[] => {
  const elements = list(element['elements'])
  const type = word(element['type'])
  if (type === 'rich_text_list') {
    return [{ kind: 'list', items: elements.map((item) => list(item['elements']).map(runOf)) }]
  }
  const kind = RICH[type]
  return kind === undefined ? [] : [{ kind, runs: elements.map(runOf) }]
}

const labelOf = (element: Json): string => word(object(element['text'])['text'])

/** The blocks of a message to Slack, in their order. */
export const slackBlocks = (body: string): readonly SlackBlock[] =>
  list(read(body)['blocks']).flatMap((block): readonly SlackBlock[] => {
    const elements = list(block['elements'])
    switch (block['type']) {
      case 'header':
        return [{ kind: 'header', text: labelOf(block) }]
      case 'context':
        return [{ kind: 'context', text: elements.map((element) => word(element['text'])).join(' ') }]
      case 'actions':
        return [{ kind: 'buttons', labels: elements.map(labelOf) }]
      case 'rich_text':
        return elements.flatMap(richOf)
      default:
        return []
    }
  })

/** An event of PagerDuty as its incident shows it. */
export interface PagerEvent {
  readonly isOver: boolean
  readonly summary: string
  readonly severity: string
  readonly source: string
  readonly details: readonly { readonly name: string; readonly value: string }[]
  readonly links: readonly string[]
}

export const pagerEvent = (body: string): PagerEvent => {
  const event = read(body)
  const payload = object(event['payload'])
  return {
    isOver: event['event_action'] === 'resolve',
    summary: word(payload['summary']),
    severity: word(payload['severity']),
    source: word(payload['source']),
    details: Object.entries(object(payload['custom_details'])).map(([name, value]) => ({ name, value: word(value) })),
    links: list(event['links']).map((link) => word(link['text'])),
  }
}
