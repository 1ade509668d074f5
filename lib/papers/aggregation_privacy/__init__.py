"""What Does The Crowd Say About You? (Pyrgelis, Troncoso and De Cristofaro, PETS 2017)."""
