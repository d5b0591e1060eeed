/*
 * On the 31st of December 2008 a music player stopped for a day: its clock's driver computed the year from the number of days
 * and did not come to an end. The loop is that of the driver, in other words; days are counted from the beginning of a leap
 * year.
 *
 * Parameters: FIXED  the last day of a leap year ends the loop
 * Answers:    `progress` is violated: a loop that subtracts nothing. With FIXED it holds.
 */
short days;
short year = 2008;

active proctype Clock()
{
	if                      /* some days around New Year */
	:: days = 365
	:: days = 366
	:: days = 367
	:: days = 732
	fi;
	do
	:: days > 365 ->
		if
		:: year % 4 == 0 ->
			if
			:: days > 366 ->
progress:			days = days - 366;
				year++
#ifdef FIXED
			:: else -> break
#else
			:: else         /* nothing: the day is the 366th */
#endif
			fi
		:: else ->
progress_too:		days = days - 365;
			year++
		fi
	:: else -> break
	od;
	assert(days >= 1 && days <= 366)
}
