import { addBreadcrumb, captureException, captureMessage, setTag, setUser, withScope } from '@firsthand/browser'

/** One way in which pages break. The workbench has a button for each. */
export interface Breakage {
  readonly label: string
  /** What happens, and what should be seen in the console. */
  readonly hint: string
  readonly run: () => void
}

class PriceError extends Error {
  override readonly name = 'PriceError'
}

const priceOf = (text: string): number => {
  const price = Number(text)
  if (Number.isNaN(price)) throw new PriceError(`"${text}" is no price`)
  return price
}

const readReceipt = (): void => {
  try {
    try {
      JSON.parse('{"total": 24.0')
    } catch (error) {
      throw new TypeError('The receipt cannot be read', { cause: error })
    }
  } catch (error) {
    throw new Error('The basket could not be restored', { cause: error })
  }
}

export const ERRORS: readonly Breakage[] = [
  {
    label: 'Handled error',
    hint: 'Caught and reported with captureException, with a tag and a context of its own.',
    run: () => {
      try {
        priceOf('twelve')
      } catch (error) {
        withScope((scope) => {
          scope.setTag('handled.by', 'workbench')
          scope.setContext('price list', { edition: 'spring', currency: 'EUR' })
          captureException(error)
        })
      }
    },
  },
  {
    label: 'Unhandled error',
    hint: 'Thrown in a click handler; nobody catches it. Marked as unhandled.',
    run: () => {
      const shelf: readonly { readonly label: string }[] = []
      // The shelf is empty, and the type says nothing of it.
      const [first] = shelf as unknown as readonly [{ readonly label: string }]
      first.label.toUpperCase()
    },
  },
  {
    label: 'Unhandled rejection',
    hint: 'A promise that fails, with nobody waiting for it.',
    run: () => void Promise.reject(new PriceError('The price list went away')),
  },
  {
    label: 'Chain of causes',
    hint: 'Error ← TypeError ← SyntaxError: the issue shows all three, with a stack each.',
    run: () => {
      try {
        readReceipt()
      } catch (error) {
        captureException(error)
      }
    },
  },
  {
    label: 'Something that is no error',
    hint: 'An object is thrown. The report says which keys it has.',
    run: () => void Promise.reject({ code: 'E_KILN', temperature: 1240 }),
  },
  {
    label: 'A message',
    hint: 'captureMessage with the level “warning”.',
    run: () => void captureMessage('The kiln is colder than it should be', 'warning'),
  },
]

export const TRACES: readonly Breakage[] = [
  {
    label: 'Failing request',
    hint: 'GET /api/broken answers 500. The error has the request among its breadcrumbs.',
    run: () =>
      void fetch('/api/broken').then((answer) => {
        if (!answer.ok) throw new Error(`The stock cannot be shown: ${answer.status}`)
      }),
  },
  {
    label: 'Slow request',
    hint: 'GET /api/slow takes three seconds, then a message is sent. The breadcrumb says how long it took.',
    run: () => void fetch('/api/slow').then(() => captureMessage('The stock was slow', 'warning')),
  },
  {
    label: 'Notes on the console',
    hint: 'log, info, warn and error are breadcrumbs of what is reported next.',
    run: () => {
      /* oxlint-disable no-console -- what this button is for */
      console.log('The shopper opened the kiln')
      console.info('Temperature', 1240)
      console.warn('It is hot in here')
      console.error('The glaze has run')
      /* oxlint-enable no-console */
      captureException(new Error('The kiln was opened too early'))
    },
  },
  {
    label: 'Breadcrumbs, tags and user',
    hint: 'Set by hand, for this and everything that follows.',
    run: () => {
      setUser({ id: '7', email: 'ash@example.com', username: 'Ash' })
      setTag('plan', 'gold')
      addBreadcrumb({ category: 'kiln', message: 'Ash came in', level: 'info', data: { door: 'left' } })
      captureMessage('Ash looked around')
    },
  },
]
