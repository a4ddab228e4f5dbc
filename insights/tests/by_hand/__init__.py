"""The numbers of the questions, worked out once more by a plain, slow script that shares nothing.

It reads reservations and reviews one by one, turns their instants into local days itself, adds up
decimals and writes numbers itself; ten random ranges of days must agree to the cent.
"""
