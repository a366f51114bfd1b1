/** Texts of the questions about category and rating. */
export interface TopicTexts {
  readonly categoryLabel: string
  readonly categoryBug: string
  readonly categoryIdea: string
  readonly categoryPraise: string
  readonly ratingLabel: string
}

export const topicTexts: TopicTexts = {
  categoryLabel: 'What is it about?',
  categoryBug: 'Bug',
  categoryIdea: 'Idea',
  categoryPraise: 'Praise',
  ratingLabel: 'How do you like this page?',
}
