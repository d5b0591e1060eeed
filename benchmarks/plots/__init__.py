"""Pictures of results that the harnesses keep: scatter, cactus, and curves over size."""
