"""The counterfactual lab: one move of a stored match is changed, and the match played on from there many times."""
