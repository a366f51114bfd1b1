import { isColumnProperty, rewriteCss, type CssBounds } from './css.ts'
import { fieldsOf, isFields, type Fields } from './fields.ts'

/** What the attributes of an element refer to and do, noted as they are written. */
export class ElementFacts implements CssBounds {
  /** Ids of elements it refers to, each as often as it does. */
  readonly parts: string[] = []
  hasColumns = false

  mayRefer = (id: string): boolean => {
    this.parts.push(id)
    return true
  }

  mayHaveColumns = (): boolean => {
    this.hasColumns = true
    return true
  }
}

const NO_REFERENCES: CssBounds = { mayRefer: () => false, mayHaveColumns: () => true }
const NO_COLUMNS: CssBounds = { mayRefer: () => true, mayHaveColumns: () => false }

/** Nothing else takes precedence over it. */
const ONE_COLUMN = 'columns:auto!important'

/** As the rewriting writes what refers to an element. */
const REFERENCE = 'url("#'

const withoutReference = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes(REFERENCE) ? rewriteCss(value, NO_REFERENCES).text : value
  return Array.isArray(value) ? value.map(withoutReference) : value
}

/** Rewritten attributes without references, and without a name for others to refer to. */
export const withoutReferences = (attributes: Fields): Fields => {
  const others = Object.entries(attributes).filter(([name]) => name !== 'id' && !name.toLowerCase().endsWith('href'))
  return Object.fromEntries(
    others.map(([name, value]) => [
      name,
      isFields(value)
        ? Object.fromEntries(Object.entries(value).map(([property, set]) => [property, withoutReference(set)]))
        : withoutReference(value),
    ]),
  )
}

/** Rewritten attributes of an element that has one column, whatever rules say. */
export const withOneColumn = (attributes: Fields, isChange: boolean): Fields => {
  const { style } = attributes
  if (isFields(style) || (style === undefined && isChange)) {
    const others = Object.entries(fieldsOf(style)).filter(([property]) => !isColumnProperty(property))
    return { ...attributes, style: { ...Object.fromEntries(others), columns: ['auto', 'important'] } }
  }
  const text = typeof style === 'string' ? rewriteCss(style, NO_COLUMNS).text : ''
  return { ...attributes, style: text === '' ? ONE_COLUMN : `${ONE_COLUMN};${text}` }
}
