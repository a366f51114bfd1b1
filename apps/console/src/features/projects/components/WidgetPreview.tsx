import { useState } from 'react'
import { Checkbox, CodeBlock, Field, Input, Panel, SpeechIcon } from '../../../ui/index.ts'
import type { PlatformDsn } from '../model/platforms.ts'
import {
  CATEGORIES,
  FORM_TEXTS,
  NO_CHOICES,
  ownTexts,
  readableOn,
  WIDGET_ACCENT,
  type WIDGET_TEXTS,
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
                placeholder={ownTexts(choices)[name]}
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
  const textOf = (name: keyof typeof WIDGET_TEXTS): string => choices[name].trim() || ownTexts(choices)[name]
  const accent = choices.accent === '' ? WIDGET_ACCENT : choices.accent
  return (
    <figure className={styles.page} aria-label="Preview of the widget">
      <div className={styles.dialog}>
        <p className={styles.title}>{textOf('formTitle')}</p>
        <div className={styles.pair}>
          <DrawnField label={FORM_TEXTS.nameLabel} placeholder={FORM_TEXTS.namePlaceholder} />
          <DrawnField label={FORM_TEXTS.emailLabel} placeholder={FORM_TEXTS.emailPlaceholder} />
        </div>
        <DrawnField label={FORM_TEXTS.messageLabel} placeholder={textOf('messagePlaceholder')} isMessage />
        {choices.withCategory ? (
          <div>
            <p className={styles.label}>{FORM_TEXTS.categoryLabel}</p>
            <p className={styles.chips}>
              {CATEGORIES.map((category) => (
                <span key={category}>{category}</span>
              ))}
            </p>
          </div>
        ) : null}
        {choices.withRating ? (
          <div>
            <p className={styles.label}>{FORM_TEXTS.ratingLabel}</p>
            <p className={styles.stars}>★★★★★</p>
          </div>
        ) : null}
        <p className={styles.button}>{FORM_TEXTS.addScreenshotButtonLabel}</p>
        <div className={styles.foot}>
          <p className={styles.button}>{FORM_TEXTS.cancelButtonLabel}</p>
          <p className={styles.send} style={{ background: accent, color: readableOn(accent) }}>
            {textOf('submitButtonLabel')}
          </p>
        </div>
      </div>
      <p className={styles.trigger}>
        <SpeechIcon size={16} /> {textOf('triggerLabel')}
      </p>
    </figure>
  )
}

interface DrawnFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly isMessage?: boolean
}

/** A question of the form and its box; only the message is required. */
function DrawnField({ label, placeholder, isMessage = false }: DrawnFieldProps) {
  return (
    <div>
      <p className={styles.label}>
        {label} {isMessage ? <span className={styles.required}>{FORM_TEXTS.isRequiredLabel}</span> : null}
      </p>
      <p className={isMessage ? styles.message : styles.box}>{placeholder}</p>
    </div>
  )
}
