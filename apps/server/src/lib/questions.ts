/**
 * What a part asks of those that build on it, and that it may therefore not import. It declares the question; whoever
 * knows the answer says so (`answering`), and whoever puts the parts together brings both together.
 */
export interface Question<Subject, Answer> {
  readonly name: string
  /** The answer when nobody knows one. */
  readonly otherwise: Answer
  /** For its type alone; no question has it. */
  readonly about?: Subject
}

export interface KnownAnswer {
  readonly name: string
  readonly answer: (subject: never) => Promise<unknown>
}

export const answering = <Subject, Answer>(
  { name }: Question<Subject, Answer>,
  answer: (subject: Subject) => Promise<Answer>,
): KnownAnswer => ({ name, answer })

export type Ask = <Subject, Answer>(question: Question<Subject, Answer>, subject: Subject) => Promise<Answer>

/** Those who ask are made before those who answer, so an answer is looked for when the question comes. */
export const createQuestions = (): { readonly ask: Ask; readonly learn: (known: readonly KnownAnswer[]) => void } => {
  const answers = new Map<string, KnownAnswer['answer']>()
  return {
    ask: async <Subject, Answer>({ name, otherwise }: Question<Subject, Answer>, subject: Subject): Promise<Answer> => {
      const answer = answers.get(name) as ((subject: Subject) => Promise<Answer>) | undefined
      return answer === undefined ? otherwise : answer(subject)
    },
    learn: (known) => {
      for (const { name, answer } of known) {
        if (answers.has(name)) throw new Error(`There are two answers to the question "${name}"; there may be one.`)
        answers.set(name, answer)
      }
    },
  }
}
