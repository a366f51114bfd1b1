import { useState } from 'react'
import { Checkbox, CodeBlock, Field, Input, Panel, SpeechIcon } from '../../../ui/index.ts'
import type { PlatformDsn } from '../model/platforms.ts'
import {
  CATEGORIES,
  NO_CHOICES,
  readableOn,
  WIDGET_ACCENT,
  WIDGET_TEXTS,
  type WidgetChoices,
  widgetTag,
} from '../model/widget-choices.ts'
import styles from './WidgetPreview.module.css'

const TEXTS = [
  ['triggerLabel', 'Button'],
  ['formTitle', 'Title'],
  ['messagePlaceholder', 'Question'],
  ['submitButtonLabel', 'Send button'],
] as const

/** The feedback widget in one's own colour and words, and the tag that puts it onto a page like that. */
export function WidgetPreview({ dsn }: { readonly dsn: PlatformDsn }) {
  const [choices, setChoices] = useState<WidgetChoices>(NO_CHOICES)
  const change = (next: Partial<WidgetChoices>) => setChoices({ ...choices, ...next })
  return (
    <Panel title="Feedback widget" subtitle="visitors say what is wrong, with a picture of the page">
      <div className={styles.columns}>
        <div className={styles.fields}>
          {TEXTS.map(([name, label]) => (
            <Field key={name} label={label}>
              <Input
                maxLength={80}
                placeholder={WIDGET_TEXTS[name]}
                value={choices[name]}
                onValueChange={(text) => change({ [name]: text })}
              />
            </Field>
          ))}
          <label className={styles.color}>
            <span>Colour</span>
            <input
              type="color"
              value={choices.accent === '' ? WIDGET_ACCENT : choices.accent}
              onChange={(event) => change({ accent: event.currentTarget.value })}
            />
          </label>
          <Checkbox
            label="Ask what kind of report it is"
            checked={choices.withCategory}
            onCheckedChange={(withCategory) => change({ withCategory })}
          />
          <Checkbox
            label="Ask for a rating in stars"
            checked={choices.withRating}
            onCheckedChange={(withRating) => change({ withRating })}
          />
        </div>
        <Drawn choices={choices} />
      </div>
      <CodeBlock title="HTML" code={widgetTag(dsn.origin, dsn.dsn, choices)} wrap />
    </Panel>
  )
}

/** How it will look: drawn, because the real one would lie over this page. */
function Drawn({ choices }: { readonly choices: WidgetChoices }) {
  const textOf = (name: keyof typeof WIDGET_TEXTS): string => choices[name].trim() || WIDGET_TEXTS[name]
  const accent = choices.accent === '' ? WIDGET_ACCENT : choices.accent
  return (
    <figure className={styles.page} aria-label="Preview of the widget">
      <div className={styles.dialog}>
        <p className={styles.title}>{textOf('formTitle')}</p>
        <p className={styles.box}>{textOf('messagePlaceholder')}</p>
        {choices.withCategory ? (
          <p className={styles.chips}>
            {CATEGORIES.map((category) => (
              <span key={category}>{category}</span>
            ))}
          </p>
        ) : null}
        {choices.withRating ? (
          <p className={styles.stars} style={{ color: accent }}>
            ★★★★★
          </p>
        ) : null}
        <p className={styles.send} style={{ background: accent, color: readableOn(accent) }}>
          {textOf('submitButtonLabel')}
        </p>
      </div>
      <p className={styles.trigger}>
        <SpeechIcon size={16} /> {textOf('triggerLabel')}
      </p>
    </figure>
  )
}
