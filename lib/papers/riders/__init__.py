"""Bike riders: the attacks of the first chapters on people, beside cabs and flights."""
