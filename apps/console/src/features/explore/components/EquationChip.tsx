import { type FormEvent, useId, useState } from 'react'
import { CloseIcon } from '../../../ui/index.ts'
import { expandEquation } from '../model/equations.ts'
import styles from './QuestionBar.module.css'

/** An equation of the functions that are shown, as it is written: `B / A * 100`. */
export function EquationChip({
  letter,
  place,
  written,
  visualise,
  onReplace,
  onRemove,
}: {
  readonly letter: string
  readonly place: number
  /** Empty for one that is only being written. */
  readonly written: string
  readonly visualise: readonly string[]
  readonly onReplace: (equation: string) => void
  readonly onRemove: (() => void) | undefined
}) {
  const [text, setText] = useState(written)
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const isNew = written === ''
  const finish = () => {
    if (text.trim() === written) {
      if (isNew) onRemove?.()
      return
    }
    const expanded = expandEquation(text, visualise, place)
    if (expanded.ok) onReplace(expanded.text)
    else setProblem(expanded.problem)
  }
  return (
    <form
      className={styles.chip}
      aria-label={`${letter}: equation`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        finish()
      }}
    >
      <span className={styles.letter} aria-hidden="true">
        {letter}
      </span>
      <input
        className={styles.equation}
        aria-label={`Equation ${letter}`}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : problemId}
        value={text}
        size={Math.min(40, Math.max(8, text.length + 1))}
        placeholder="B / A * 100"
        spellCheck={false}
        autoComplete="off"
        // It was just asked for.
        autoFocus={isNew}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setProblem(null)
        }}
        // What is pressed in here acts by itself.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (currentTarget.form?.contains(relatedTarget) !== true) finish()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setText(written)
          setProblem(null)
          if (isNew) onRemove?.()
        }}
      />
      {onRemove === undefined ? null : (
        <button
          type="button"
          className={styles.remove}
          aria-label={isNew ? 'Remove the new equation' : `Remove ${letter}: ${written}`}
          onClick={onRemove}
        >
          <CloseIcon size={12} />
        </button>
      )}
      {problem === null ? null : (
        <span id={problemId} role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </form>
  )
}
