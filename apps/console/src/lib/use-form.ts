import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { describeError, fieldErrors } from './api.ts'

export type FieldErrors<Values> = { readonly [Name in keyof Values]?: string }

export interface FormOptions<Values extends object> {
  readonly initial: Values
  /** What is wrong, by field; {} when all is well. */
  readonly validate?: (values: Values) => FieldErrors<Values>
  /** Sends it. What it throws is shown: at the fields that the server names, else above the buttons. */
  readonly submit: (values: Values) => Promise<unknown>
}

export interface Form<Values extends object> {
  readonly values: Values
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void
  readonly reset: (values: Values) => void
  readonly errors: FieldErrors<Values>
  /** Why sending failed, when no field is to blame. */
  readonly failure: string | undefined
  readonly busy: boolean
  readonly dirty: boolean
  /** For `<form noValidate onSubmit={form.onSubmit}>`. */
  readonly onSubmit: (event?: FormEvent) => void
}

/**
 * State of one form. Errors appear when it is sent, not while somebody types; a field's error goes away as soon as the
 * field changes. The first wrong field gets the focus.
 */
export function useForm<Values extends object>({ initial, validate, submit }: FormOptions<Values>): Form<Values> {
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Values>>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** While it was sent, the form was given other values to start from. */
  const wasReset = useRef(false)
  const latest = useRef({ values, validate, submit, busy })
  useEffect(() => {
    latest.current = { values, validate, submit, busy }
  })

  const set = useCallback(<Name extends keyof Values>(name: Name, value: Values[Name]) => {
    setValues((old) => ({ ...old, [name]: value }))
    setErrors((old) => ({ ...old, [name]: undefined }))
    setFailure(undefined)
  }, [])

  const reset = useCallback((next: Values) => {
    wasReset.current = true
    setStart(next)
    setValues(next)
    setErrors({})
    setFailure(undefined)
  }, [])

  const onSubmit = useCallback((event?: FormEvent) => {
    event?.preventDefault()
    const { values: sent, validate: check, submit: send, busy: already } = latest.current
    if (already) return
    const wrong = check?.(sent) ?? {}
    setErrors(wrong)
    setFailure(undefined)
    if (Object.values(wrong).some((message) => message !== undefined)) {
      focusFirstError()
      return
    }
    setBusy(true)
    wasReset.current = false
    void send(sent)
      .then(() => {
        if (!wasReset.current) setStart(sent)
      })
      .catch((error: unknown) => {
        const named = fieldErrors(error)
        const own = Object.fromEntries(Object.entries(named).filter(([name]) => name in sent))
        setErrors(own as FieldErrors<Values>)
        if (Object.keys(own).length > 0) focusFirstError()
        else setFailure(describeError(error).detail)
      })
      .finally(() => setBusy(false))
  }, [])

  const dirty = JSON.stringify(start) !== JSON.stringify(values)
  return { values, set, reset, errors, failure, busy, dirty, onSubmit }
}

/** The error is drawn with the next frame; then its field can be found. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('form [aria-invalid=true], form [data-invalid] input')?.focus()
  })
}
