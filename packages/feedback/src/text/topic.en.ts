/** Texts of the questions about category and rating. */
export interface TopicTexts {
  /** Title and button of a form that asks for a category: not all of them are bugs. */
  readonly feedbackTitle: string
  readonly categoryLabel: string
  readonly categoryBug: string
  readonly categoryIdea: string
  readonly categoryPraise: string
  readonly ratingLabel: string
}

export const topicTexts: TopicTexts = {
  feedbackTitle: 'Send feedback',
  categoryLabel: 'What is it about?',
  categoryBug: 'Bug',
  categoryIdea: 'Idea',
  categoryPraise: 'Praise',
  ratingLabel: 'How do you like this page?',
}
