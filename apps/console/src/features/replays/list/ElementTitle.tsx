import { plainVisible } from '../../../lib/visible-text.ts'
import { VisibleText } from '../../../ui/index.ts'
import { elementWords } from '../model/element-words.ts'
import type { ClickedElement } from './queries.ts'

/** An element as people call it; its selector while somebody points at it. */
export function ElementTitle({
  element: { dom_element: selector, named },
  className,
}: {
  readonly element: Pick<ClickedElement, 'dom_element' | 'named'>
  readonly className: string | undefined
}) {
  const { name, role } = elementWords(named, selector)
  return (
    <span className={className} title={plainVisible(selector)}>
      {role === '' ? null : (
        <code>
          <VisibleText text={role} />
        </code>
      )}{' '}
      <VisibleText text={name || (role === '' ? 'an element of no name' : '')} />
    </span>
  )
}
