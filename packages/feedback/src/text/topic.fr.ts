import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  categoryLabel: 'De quoi s’agit-il ?',
  categoryBug: 'Bug',
  categoryIdea: 'Idée',
  categoryPraise: 'Compliment',
  ratingLabel: 'Que pensez-vous de cette page ?',
}
