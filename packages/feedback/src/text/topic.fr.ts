import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'Envoyer un avis',
  categoryLabel: 'De quoi s’agit-il ?',
  categoryBug: 'Bug',
  categoryIdea: 'Idée',
  categoryPraise: 'Compliment',
  ratingLabel: 'Que pensez-vous de cette page ?',
}
